/** The worker program: loads the module named by its first argument and answers with it. */
import { Socket } from 'node:net'
import { syncBuiltinESMExports } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import workerThreads from 'node:worker_threads'
import { optionalPackage } from '../../core/value/optional-package.ts'
import { isRecord } from '../../core/value/json.ts'
import { TOOL_FAULTS, type ToolErrorCode, type ToolFault } from '../../core/tool/tool-call.ts'
import { channel } from './channel.ts'
import { type Answer, isToolErrorCode } from './message.ts'

interface Loaded {
  readonly default: (input: unknown) => unknown
  /** Whether the module is still in its loaded state; called after each answer. */
  readonly isIntact?: () => boolean
}

// Otherwise an input could add properties to every object parsed for a later input.
Object.preventExtensions(Object.prototype)
const shared = Object.getOwnPropertyDescriptors(Object.prototype)

/**
 * Runs in another thread, since this one is blocked while a parser fills buffers, which no heap
 * limit counts.
 */
const WATCH = `
  const { workerData } = require('node:worker_threads')
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGABRT')
  }, 50)
`

function watchMemory(residentMb: number): void {
  const workerData = residentMb * 1024 * 1024
  new workerThreads.Worker(WATCH, { eval: true, workerData }).unref()
  closeThreads()
}

/** Threads do not get the preloaded module, so untrusted code must not start any. */
function closeThreads(): void {
  const denied = (): never => {
    throw new Error('untrusted code cannot start threads')
  }
  const permission: unknown = Reflect.get(process, 'permission')
  const drop: unknown = isRecord(permission) ? permission['drop'] : undefined
  if (typeof drop === 'function') drop.call(permission, 'worker')
  // For Node versions that cannot drop a permission.
  Object.assign(workerThreads, { Worker: denied })
  Object.assign(process.getBuiltinModule('node:module'), { register: denied })
  syncBuiltinESMExports()
}

const residentMb = Number(process.argv[3] ?? 0)
if (residentMb > 0) watchMemory(residentMb)

const loading: Promise<Loaded> = import(process.argv[2] ?? '')

async function answer(number: number, text: string): Promise<Answer<unknown>> {
  try {
    const { default: run } = await optionalPackage('', () => loading)
    const value = await run(JSON.parse(text))
    return { type: 'ok', number, value, isSpent: !(await isIntact()) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = codeOf(error)
    // Any other error is unexpected and may leave a package in an inconsistent state.
    const isSpent = code !== 'INVALID_ARGS' || !(await isIntact())
    return { type: 'error', number, code, message, fault: faultOf(error), isSpent }
  }
}

async function isIntact(): Promise<boolean> {
  const module = await optionalPackage('', () => loading)
  try {
    const isUnchanged = isDeepStrictEqual(
      Object.getOwnPropertyDescriptors(Object.prototype),
      shared,
    )
    return isUnchanged && (module.isIntact?.() ?? true)
  } catch {
    return false
  }
}

/** Checks name and code, not the class, since the module may import another copy of `ToolError`. */
function codeOf(error: unknown): ToolErrorCode {
  const named = error instanceof Error && error.name === 'ToolError' && 'code' in error
  return named && isToolErrorCode(error.code) ? error.code : 'TOOL_ERROR'
}

function faultOf(error: unknown): ToolFault | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && error.code === 'MISSING_PACKAGE') return 'setup'
  const fault = error.name === 'ToolError' && 'fault' in error ? error.fault : undefined
  return TOOL_FAULTS.find((one) => one === fault)
}

/** The descriptor after stdin, stdout and stderr; opened by `worker.ts`. */
const PIPE = 3
const pipe = new Socket({ fd: PIPE, readable: true, writable: true })
const leave = (): never => process.exit()
const { send } = channel(
  pipe,
  (question) => {
    if (!isRecord(question)) return
    void reply(Number(question['number']), String(question['text']))
  },
  leave,
)

async function reply(number: number, text: string): Promise<void> {
  const message = await answer(number, text)
  try {
    send(message)
  } catch (error) {
    // The value cannot be serialized, for example a function.
    const failure = { code: 'TOOL_ERROR', message: String(error), fault: undefined } as const
    send({ type: 'error', number, isSpent: true, ...failure } satisfies Answer<unknown>)
  }
}

pipe.on('close', leave)
// A load failure is reported as the answer to the first input.
await optionalPackage('', () => loading).catch(() => undefined)
send({ type: 'ready' })
