import { type ChildProcess, fork } from 'node:child_process'
import { ToolError } from '../../core/tool.ts'
import type { Message } from './message.ts'
import { workerModule } from './worker-module.ts'

/** What bounds one worker. */
export interface Limits {
  /** Whose work it is, for messages. */
  readonly name: string
  readonly module: URL
  /** Of the JavaScript heap, in MiB. */
  readonly memoryMb: number
  /** Of the whole process, buffers included, in MiB; looked at 20 times a second. Default: any. */
  readonly residentMb?: number
  /** Of one run, in milliseconds. */
  readonly timeoutMs: number
  /** Whether the module needs native addons; default false. */
  readonly addons?: boolean
  /**
   * Whether the built-in objects of JavaScript stay as they are, so that no input changes them for a later
   * one; default true. False for a module whose packages add to them.
   */
  readonly frozen?: boolean
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
const GUEST = workerModule(import.meta.url, './guest.ts')

/** Starts a worker; a start that fails is reported by the first `ask`. */
export function startWorker<Output>(limits: Limits): Worker<Output> {
  const child = launch(limits)
  const gone = new Promise<void>((resolve) => {
    child.on('close', () => resolve())
    child.on('error', () => resolve())
  })
  let ready = false
  child.once('message', () => (ready = true))
  unref(child)
  return {
    alive: () => child.connected && !child.killed,
    gone,
    ask: (text, signal) =>
      ask<Output>(child, { text, signal, limits, ready }).finally(() => unref(child)),
    kill() {
      // Who waits for `gone` must not find the event loop empty first.
      ref(child)
      child.kill('SIGKILL')
    },
  }
}

/**
 * The process may read files, since it loads code, and nothing more of Node's permission model;
 * it gets no environment, hence no keys, and its output goes nowhere.
 */
function launch(limits: Limits): ChildProcess {
  const { module, memoryMb, residentMb, addons = false, frozen = true } = limits
  const watched = residentMb === undefined ? [] : [String(residentMb)]
  return fork(GUEST, [module.href, ...watched], {
    execArgv: [
      `--max-old-space-size=${memoryMb}`,
      '--permission',
      '--allow-fs-read=*',
      ...(frozen ? ['--frozen-intrinsics', '--disable-proto=delete'] : []),
      ...(addons ? ['--allow-addons'] : []),
      ...watched.map(() => '--allow-worker'),
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

interface Question {
  readonly text: string
  readonly signal: AbortSignal
  readonly limits: Limits
  readonly ready: boolean
}

async function ask<Output>(child: ChildProcess, question: Question): Promise<Output> {
  const { text, signal, limits, ready } = question
  const { promise, resolve, reject } = Promise.withResolvers<Output>()
  const stop = (reason: unknown): void => {
    reject(reason)
    child.kill('SIGKILL')
  }
  const after = (ms: number, doing: string): NodeJS.Timeout =>
    setTimeout(() => stop(fault(limits, `took longer to ${doing} than the ${ms} ms it may`)), ms)
  let timer = ready ? after(limits.timeoutMs, 'run') : after(LOAD_MS, 'load')
  const heard = (message: Message<Output>): void => {
    if (message.type === 'ready') {
      clearTimeout(timer)
      timer = after(limits.timeoutMs, 'run')
      return
    }
    if (message.type === 'ok') resolve(message.value)
    else reject(new ToolError(message.code, message.message, { fault: message.fault }))
    if (message.isSpent) child.kill('SIGKILL')
  }
  const died = (code: number | null, killedBy: string | null): void =>
    reject(fault(limits, lastWords(limits, code ?? killedBy)))
  const failed = (error: Error): void => stop(fault(limits, `could not be run: ${error.message}`))
  const aborted = (): void => stop(signal.reason)

  ref(child)
  child.on('message', heard).on('exit', died).on('error', failed)
  signal.addEventListener('abort', aborted)
  child.send(text, (error) => error !== null && failed(error))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('message', heard).off('exit', died).off('error', failed)
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
function ref(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

function unref(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
