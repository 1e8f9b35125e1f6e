import type { ChildProcess } from 'node:child_process'
import { ToolError } from '../../core/tool/tool.ts'
import { endGroup } from '../end-group.ts'
import type { Wall } from '../wall/wall.ts'
import { launch, type Launched, type Start } from './launch.ts'
import { line, type Line } from './line.ts'

/** The limits of one worker. */
export interface Limits extends Start {
  /** The name for messages. */
  readonly name: string
  /** Time limit of one run, in milliseconds. */
  readonly timeoutMs: number
}

/** One process with one loaded module. Takes one input at a time. */
export interface Worker<Output> {
  alive(): boolean
  /** Resolves, never rejects, when the process and its channel are closed for any reason. */
  readonly gone: Promise<void>
  /** Rejects with a `ToolError` or, when the signal aborts, with its reason; see `isolate`. */
  ask(text: string, signal: AbortSignal): Promise<Output>
  kill(): void
}

/** Loading depends on the machine and not on the input, so it has a separate limit. */
const LOAD_MS = 30_000

/** Starts a worker. The first `ask` reports a failed start. */
export function startWorker<Output>(limits: Limits, wall: Wall | undefined): Worker<Output> {
  const launched = launch(limits, wall)
  const { child, pipe } = launched
  const gone = new Promise<void>((resolve) => {
    child.on('close', () => resolve())
    child.on('error', () => resolve())
  })
  // A worker that sends an unrequested message is not used again.
  const connection = line<Output>(pipe, () => endGroup(child))
  unref(launched)
  return {
    alive: () => isAlive(child),
    gone,
    ask: (text, signal) =>
      ask(launched, connection, { text, signal, limits }).finally(() => unref(launched)),
    kill() {
      // Keeps the event loop alive while someone waits for `gone`.
      ref(launched)
      endGroup(child)
    },
  }
}

const isAlive = ({ pid, exitCode, signalCode, killed }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null && !killed

interface Asking {
  readonly text: string
  readonly signal: AbortSignal
  readonly limits: Limits
}

async function ask<Output>(
  launched: Launched,
  connection: Line<Output>,
  { text, signal, limits }: Asking,
): Promise<Output> {
  const { child } = launched
  const { promise, resolve, reject } = Promise.withResolvers<Output>()
  const stop = (reason: unknown): void => {
    reject(reason)
    endGroup(child)
  }
  const after = (ms: number, doing: string): NodeJS.Timeout =>
    setTimeout(() => stop(fault(limits, `took longer to ${doing} than the limit of ${ms} ms`)), ms)
  let timer = connection.isLoaded() ? after(limits.timeoutMs, 'run') : after(LOAD_MS, 'load')
  const loaded = (): void => {
    clearTimeout(timer)
    timer = after(limits.timeoutMs, 'run')
  }
  const died = (code: number | null, killedBy: string | null): void =>
    reject(fault(limits, exitMessage(limits, code ?? killedBy)))
  const failed = (error: Error): void => stop(fault(limits, `could not be run: ${error.message}`))
  const aborted = (): void => stop(signal.reason)

  ref(launched)
  child.on('exit', died).on('error', failed)
  signal.addEventListener('abort', aborted)
  if (!connection.isLoaded()) void connection.loaded.then(loaded)
  connection.ask(text).then(resolve, reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('exit', died).off('error', failed)
    signal.removeEventListener('abort', aborted)
  }
}

/**
 * V8 aborts the process when its heap is full, and so does the watch on total memory. Exit codes
 * are those of Linux and Windows.
 */
function exitMessage({ memoryMb, residentMb }: Limits, end: number | string | null): string {
  const buffers = residentMb === undefined ? '' : `, or of ${residentMb} MB with its buffers`
  return end === 'SIGABRT' || end === 134
    ? `needed more memory than the limit of ${memoryMb} MB${buffers}`
    : `was stopped from outside (${end})`
}

const fault = ({ name }: Limits, message: string): ToolError =>
  new ToolError('TOOL_ERROR', `${name} ${message}`)

/** Only a busy worker keeps this process alive. */
function ref({ child, pipe }: Launched): void {
  child.ref()
  pipe.ref()
}

function unref({ child, pipe }: Launched): void {
  child.unref()
  pipe.unref()
}
