import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { capturedIo, type Given } from './captured-io.ts'
import { runInProcess } from './in-process.ts'

const MAIN = join(import.meta.dirname, '../main.js')

/** What the command gave back. */
export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where the command keeps its compiled modules if `npm test` names no folder; safe to delete. */
const COMPILED = join(tmpdir(), 'echelon-compiled')

/**
 * Environment of the command under test: nothing of this process that changes what it does, above all
 * no keys. A spawned command keeps its compiled modules, since it spends most of its time on them.
 */
export function plainEnvironment(
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '', TZ, NODE_COMPILE_CACHE = COMPILED } = OWN
  return {
    PATH,
    HOME,
    NO_COLOR: '1',
    ...(TZ === undefined ? {} : { TZ }),
    NODE_COMPILE_CACHE,
    ...more,
  }
}

/** As this process was started: a command that runs in it has another one meanwhile. */
const OWN: NodeJS.ProcessEnv = { ...process.env }

/** Runs the command in this process, in a folder. `env` is added to `plainEnvironment`. */
export const runCommand = (
  args: readonly string[],
  folder: string,
  given: Given = {},
): Promise<Ran> => runTold(args, folder, given)

/** Tells the command a signal when a condition holds. */
interface Told extends Given {
  readonly signal?: NodeJS.Signals
  /** Whether the signal is due; asked again and again. */
  readonly when?: () => boolean
}

/** The same with a signal, as far as the command listens to it: none ends this process. */
export async function runTold(
  args: readonly string[],
  folder: string,
  { signal, when, ...given }: Told,
): Promise<Ran> {
  const io = capturedIo({ ...given, env: plainEnvironment(given.env) })
  const over = new AbortController()
  const running = runInProcess(args, folder, io).finally(() => over.abort())
  if (signal !== undefined && when !== undefined) {
    while (!when() && !over.signal.aborted) await setTimeout(10)
    io.signals.emit(signal, signal)
  }
  const status = await running
  return { status, ...io.written }
}

/** One run in this process, in a folder of its own. */
export const echelon = (t: TestContext, ...args: string[]): Promise<Ran> =>
  runCommand(args, folderFor(t))

/** Starts the command as a process of its own, in a folder. `finish` waits for its end. */
export const spawned = (
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn(process.execPath, ['--conditions=echelon-source', MAIN, ...args], {
    cwd: folder,
    env: plainEnvironment(env),
  })

/** Waits for its end. */
export async function finish(child: ChildProcess, input: string | Uint8Array = ''): Promise<Ran> {
  assert.ok(child.stdin !== null && child.stdout !== null && child.stderr !== null)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode === null ? once(child, 'exit') : null,
  ])
  return { status: child.exitCode, stdout, stderr }
}

/** A folder that is gone after the test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-cli-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
