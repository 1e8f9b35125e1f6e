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

/** Starts the command as a bundle, as `npm start` does, in two thirds of the CPU time. */
const MAIN = join(import.meta.dirname, '../../../toolchain/start.js')

/** Result of a command. */
export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Compile cache of the command unless `npm test` names one; safe to delete. */
const COMPILED = join(tmpdir(), 'echelon-compiled')

/**
 * Environment of the command under test, without variables of this process that change its behavior,
 * above all keys. Spawned commands use a compile cache, since compiling takes most of their time.
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

/** Original environment, which differs while a command runs in this process. */
const OWN: NodeJS.ProcessEnv = { ...process.env }

/** Runs the command in this process, in a folder. `env` is added to `plainEnvironment`. */
export const runCommand = (
  args: readonly string[],
  folder: string,
  given: Given = {},
): Promise<Ran> => runWithSignal(args, folder, given)

/** Sends the command a signal when a condition holds. */
interface Signaled extends Given {
  readonly signal?: NodeJS.Signals
  /** Whether to send the signal now; polled. */
  readonly when?: () => boolean
}

/** The same with a signal, which reaches only listeners of the command and never ends this process. */
export async function runWithSignal(
  args: readonly string[],
  folder: string,
  { signal, when, ...given }: Signaled,
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

/** Runs the command once in a new folder. */
export const echelon = (t: TestContext, ...args: string[]): Promise<Ran> =>
  runCommand(args, folderFor(t))

/** Spawns the command in a folder. `finish` waits for its end. */
export const spawned = (
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn(process.execPath, ['--conditions=echelon-source', MAIN, ...args], {
    cwd: folder,
    env: plainEnvironment(env),
  })

/** Waits for a spawned command to end. */
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

/** A folder that is removed after the test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-cli-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
