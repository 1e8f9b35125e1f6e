import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { untilSaid } from '../until-said.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = readFileSync(join(ROOT, 'docs/guides/scale.md'), 'utf8')
const SCRIPTS = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).scripts

/** The guide's commands, by their first words. */
const commandOf = (begin: string): string => {
  const line = GUIDE.split('\n').find((one) => one.startsWith(begin))
  assert.ok(line, `the guide has a command ${begin}`)
  return line
}

/** Starts the program of an npm script as a shell in a folder of its own does. */
function started(command: string, folder: string, port: number): ChildProcess {
  const [, name = '', rest = ''] = /^npm run --silent (\S+)(?: -- (.*))?$/.exec(command) ?? []
  const program = (SCRIPTS[name] ?? '')
    .replace('toolchain/', `${ROOT}/toolchain/`)
    .split(' ')
    .slice(1)
  const words = rest.split(' ').filter((word) => word !== '')
  const given = name === 'database' ? [String(port)] : words
  return spawn(process.execPath, [...program, ...given.map((word) => here(word, port))], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
}

/** No other process of this machine uses the port of the test. */
const here = (word: string, port: number): string => word.replace(':5433/', `:${port}/`)

suite('the guide to many machines', { timeout: 300_000 }, () => {
  // Its workers are found by Linux' list of processes.
  const skip = process.platform !== 'linux'
  test('its commands start a fleet, whose worker is killed without a loss', { skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'guide-'))
    symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'))
    writeFileSync(join(folder, 'config.yaml'), 'server: { port: 0 }\n')
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const database = started(commandOf('npm run --silent database'), folder, port)
    const children = [database]
    t.after(async () => {
      for (const child of children.toReversed()) await ended(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    })
    await untilSaid(database, /PostgreSQL is at/)
    const command = commandOf('npm run --silent fleet')
    const fleet = started(command, folder, port)
    children.push(fleet)
    // The server and its workers speak in any order.
    const [, url = ''] = await untilSaid(
      fleet,
      /^(?=[^]*Echelon is at (\S+);)(?=[^]*performs runs[^]*performs runs)/,
    )
    const [, body = ''] = /-d '(.*)'/.exec(commandOf('curl -s')) ?? []
    const answer = await fetch(`${url}/runs`, { method: 'POST', body })
    const run = z.looseObject({ id: z.string(), status: z.string() })
    const { id } = run.parse(await answer.json())
    const counted = (): readonly string[] => {
      const file = join(folder, '.echelon/counted.txt')
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    }
    while (counted().length < 5) await wait(50)
    const [worker] = workersOf(fleet)
    assert.ok(worker)
    process.kill(worker, 'SIGKILL')
    let status = 'running'
    while (status !== 'finished') {
      await wait(200)
      status = run.parse(await (await fetch(`${url}/runs/${id}`)).json()).status
    }
    const keys = counted().map((line) => line.split(' ')[0])
    assert.equal(new Set(keys).size, keys.length, 'no number is written twice')
    const { input } = z.object({ input: z.string() }).parse(JSON.parse(body))
    // The one in progress when the worker died may not have been written.
    assert.ok(keys.length >= Number(input) - 1)
  })
})

/** The processes of a fleet that perform runs; the first one is the server. */
function workersOf({ pid }: ChildProcess): readonly number[] {
  const listing = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return listing.slice(1).map(Number)
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}
