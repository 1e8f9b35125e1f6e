import type { ChildProcess } from 'node:child_process'
import { ToolError } from '../../core/tool/tool.ts'
import { endGroup } from '../end-group.ts'
import type { Wall } from '../wall/wall.ts'
import { launch, type Launched, type Start } from './launch.ts'
import { line, type Line } from './line.ts'

/** What bounds one worker. */
export interface Limits extends Start {
  /** Whose work it is, for messages. */
  readonly name: string
  /** Of one run, in milliseconds. */
  readonly timeoutMs: number
}

/** One process with one module loaded. It takes one input at a time. */
export interface Worker<Output> {
  alive(): boolean
  /** Resolves, never rejects, when the process and its channel are gone, for whatever reason. */
  readonly gone: Promise<void>
  /** Rejects with a `ToolError` or, when the signal aborts, with its reason; see `isolate`. */
  ask(text: string, signal: AbortSignal): Promise<Output>
  kill(): void
}

/** Loading is the machine's work, not the input's, so it has a limit of its own. */
const LOAD_MS = 30_000

/** Starts a worker; a start that fails is reported by the first `ask`. */
export function startWorker<Output>(limits: Limits, wall: Wall | undefined): Worker<Output> {
  const launched = launch(limits, wall)
  const { child, pipe } = launched
  const gone = new Promise<void>((resolve) => {
    child.on('close', () => resolve())
    child.on('error', () => resolve())
  })
  // One that says what it was not asked is not to be asked again.
  const spoken = line<Output>(pipe, () => endGroup(child))
  unref(launched)
  return {
    alive: () => isAlive(child),
    gone,
    ask: (text, signal) =>
      ask(launched, spoken, { text, signal, limits }).finally(() => unref(launched)),
    kill() {
      // Who waits for `gone` must not find the event loop empty first.
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
  spoken: Line<Output>,
  { text, signal, limits }: Asking,
): Promise<Output> {
  const { child } = launched
  const { promise, resolve, reject } = Promise.withResolvers<Output>()
  const stop = (reason: unknown): void => {
    reject(reason)
    endGroup(child)
  }
  const after = (ms: number, doing: string): NodeJS.Timeout =>
    setTimeout(() => stop(fault(limits, `took longer to ${doing} than the ${ms} ms it may`)), ms)
  let timer = spoken.isLoaded() ? after(limits.timeoutMs, 'run') : after(LOAD_MS, 'load')
  const loaded = (): void => {
    clearTimeout(timer)
    timer = after(limits.timeoutMs, 'run')
  }
  const died = (code: number | null, killedBy: string | null): void =>
    reject(fault(limits, lastWords(limits, code ?? killedBy)))
  const failed = (error: Error): void => stop(fault(limits, `could not be run: ${error.message}`))
  const aborted = (): void => stop(signal.reason)

  ref(launched)
  child.on('exit', died).on('error', failed)
  signal.addEventListener('abort', aborted)
  if (!spoken.isLoaded()) void spoken.loaded.then(loaded)
  spoken.ask(text).then(resolve, reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('exit', died).off('error', failed)
    signal.removeEventListener('abort', aborted)
  }
}

/**
 * V8 that cannot get more heap aborts the process, and so does whoever watches over all of its memory;
 * the codes are those of Linux and Windows.
 */
function lastWords({ memoryMb, residentMb }: Limits, end: number | string | null): string {
  const buffers = residentMb === undefined ? '' : `, or the ${residentMb} MB with its buffers`
  return end === 'SIGABRT' || end === 134
    ? `needed more memory than the ${memoryMb} MB it may${buffers}`
    : `was stopped from outside (${end})`
}

const fault = ({ name }: Limits, message: string): ToolError =>
  new ToolError('TOOL_ERROR', `${name} ${message}`)

/** Only a process that works for somebody keeps this one alive. */
function ref({ child, pipe }: Launched): void {
  child.ref()
  pipe.ref()
}

function unref({ child, pipe }: Launched): void {
  child.unref()
  pipe.unref()
}
