import {
  type AgentServer,
  createServer,
  hubPerformer,
  type ServedAgent,
  statusApi,
  wouldLoad,
} from '@echelon/server'
import type { Worker } from '@echelon/fleet'
import { configFor, type GlobalOptions } from '../configuration.ts'
import type { RecordsChoice } from '../records.ts'
import { clean } from '../terminal/clean.ts'
import type { Io } from '../io.ts'
import { fleetLimits } from './fleet.ts'
import { withoutTwins } from './open-server.ts'
import { ownAgents } from './own-agents.ts'
import { type StandardAgents, standardAgents } from './served-agents.ts'
import { serverTokens } from './server-tokens.ts'

export interface OpenWorkerOptions extends GlobalOptions, RecordsChoice {
  readonly database: string
  readonly name?: string
  readonly release?: string
  readonly atOnce?: number
  readonly tokenFile?: string
}

/** A worker that performs runs. */
export interface OpenedWorker {
  readonly worker: Worker
  /** Its health and metrics, before it listens. */
  readonly server: AgentServer
  /** Lets go of its runs, and closes the store. */
  readonly stop: () => Promise<void>
}

/** Starts a worker with the agents of the configuration and those of the user. @param files with agents */
export async function openWorker(
  io: Io,
  files: readonly string[],
  options: OpenWorkerOptions,
): Promise<OpenedWorker> {
  const config = await configFor(io, options)
  const { server: settings } = config
  const { database, name, release, atOnce } = options
  const { openStore } = await import('@echelon/store')
  const { fleetFigures, startWorker } = await import('@echelon/fleet')
  const store = await openStore(database, { giveUpAfter: settings.give_up_after })
  const log = (line: string): void => void io.stderr.write(`${clean(line)}\n`)
  const figures = fleetFigures(database)
  let standard: StandardAgents | undefined
  let worker: Worker | undefined
  const close = async (): Promise<void> => {
    await worker?.stop()
    await figures.close()
    await standard?.close()
    await store.close()
  }
  try {
    standard = await standardAgents(io, { options, config, store, file: database })
    const own = await ownAgents(settings.agents_folder, files, { store, config })
    const agents = withoutTwins([...standard.agents, ...own])
    const server = createServer({
      agents,
      store,
      protocols: [statusApi],
      tokens: serverTokens(settings, tokensFrom(io, options)),
      resumesRuns: false,
      // Its queue has the limit.
      runsAtOnce: atOnce ?? settings.runs_per_worker,
      problem: () => worker?.problem(),
      figures: [...figures.list, figures.recovered(() => worker?.recovered ?? 0)],
      log,
    })
    worker = await startWorker({
      database,
      store,
      performer: hubPerformer({ hub: server.hub, store }),
      agents: resumable(agents),
      limits: fleetLimits(settings, atOnce),
      ...(name !== undefined && { name }),
      ...(release !== undefined && { release }),
      loads: (run) => wouldLoad(run, { hub: server.hub, store }),
      log,
    })
    const stop = async (): Promise<void> => {
      await worker?.stop()
      await server.stop()
      await close()
    }
    return { worker, server, stop }
  } catch (error) {
    await close()
    throw error
  }
}

/** Names of the agents whose runs a worker can resume. */
const resumable = (agents: readonly ServedAgent[]): readonly string[] => {
  const able = agents.filter((agent) => 'resume' in agent && agent.needsThisMachine !== true)
  return [...new Set(able.map(({ definition }) => definition))]
}

const tokensFrom = (io: Io, { tokenFile }: OpenWorkerOptions) => ({
  file: tokenFile,
  variable: io.env['ECHELON_SERVER_TOKEN'],
})
