import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient, type RunRequest, type RunView } from 'echelon/client'
import { type AgentServer, createServer, evaluationsIn } from '@echelon/server'
import { openStore } from '@echelon/store'
import type { Browser } from 'playwright-core'
import { configFor } from '../../cli/src/configuration.ts'
import { standardAgents } from '../../cli/src/serve/served-agents.ts'
import { tuneSetsIn } from '../../cli/src/serve/tune-sets.ts'
import { capturedIo } from '../../cli/src/testing/captured-io.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Look, openBrowser, openPage, type Watched } from './browser.ts'
import { writeDataset, writeTraces } from './prepared.ts'
import { type Gate, scriptedAgents, scriptedPrice } from './scripted-agents.ts'
import { scriptedAssistant } from './scripted-assistant.ts'

const ROOT = join(import.meta.dirname, '../..')

/** One browser, one real server and a client of it, for all tests of the page. */
export interface World {
  readonly browser: Browser
  readonly url: string
  readonly client: Client
  readonly server: AgentServer
  /** The folder of the built page. */
  readonly built: string
  readonly gate: Gate
  /** The folder of the data sets. */
  readonly datasets: string
  /** Opens a view, such as `/runs`. */
  readonly view: (path: string, look?: Look & { readonly url?: string }) => Promise<Watched>
  /** Starts a run and waits for its end. */
  readonly run: (request: RunRequest) => Promise<RunView>
  readonly close: () => Promise<void>
}

/**
 * Builds the page as `npm start` does, and serves it with the agents of `echelon serve` and scripted ones.
 * @param page the folder of a page that is built already
 */
export async function openWorld(page?: string): Promise<World> {
  const folder = mkdtempSync(join(temporaryFolder(), 'echelon-studio-'))
  const built = page ?? join(folder, 'page')
  if (page === undefined) build(built)
  const file = join(folder, 'config.yaml')
  writeFileSync(file, `run:\n  artifacts: ${join(folder, 'artifacts')}\n`)
  const io = capturedIo()
  const options = { config: file, records: false } as const
  const config = await configFor(io, options)
  const store = await openStore(join(folder, 'echelon.db'))
  const standard = await standardAgents(io, { options, config, store, file: join(folder, 'x.db') })
  const scripted = scriptedAgents(store)
  const datasets = join(folder, 'datasets')
  const server = createServer({
    agents: [
      ...standard.agents,
      ...scripted.agents,
      scriptedAssistant(store, join(folder, 'memory')),
    ],
    store,
    datasets: evaluationsIn(writeDataset(datasets), standard.decider, { gates: config.gates }),
    tuneSets: tuneSetsIn(writeTraces(join(folder, 'traces'))),
    studio: built,
    priceOf: scriptedPrice,
  })
  const url = await server.listen({ port: 0 })
  const browser = await openBrowser()
  const client = createClient({ url })
  return {
    browser,
    url,
    client,
    server,
    built,
    gate: scripted.gate,
    datasets,
    async view(path, { url: from = url, ...look } = {}) {
      const watched = await openPage(browser, from, look)
      await watched.page.goto(`/studio${path}`)
      return watched
    },
    async run(request) {
      const { id } = await client.runs.start(request)
      return client.runs.end(id)
    },
    async close() {
      await browser.close()
      await server.stop()
      await standard.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @throws with what Vite said */
function build(folder: string): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', 'studio', '--logLevel', 'warn'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ECHELON_DIST: folder } },
  )
  if (status !== 0) throw new Error(`the page cannot be built:\n${stdout}${stderr}`)
}
