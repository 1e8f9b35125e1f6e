/** The program of a worker: loads the module named by its first argument and answers with it. */
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
  /** Whether the module is as it was when it was loaded; asked after each answer. */
  readonly isIntact?: () => boolean
}

// What an input adds here would be in every object that a later input is read into.
Object.preventExtensions(Object.prototype)
const shared = Object.getOwnPropertyDescriptors(Object.prototype)

/**
 * Another thread, since this one cannot look at anything while a parser fills buffers, which no limit
 * of the heap bounds.
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

/** What is preloaded here is not in a thread, so no code that is not ours may start one. */
function closeThreads(): void {
  const denied = (): never => {
    throw new Error('threads are closed to a process whose code is not trusted')
  }
  const permission: unknown = Reflect.get(process, 'permission')
  const drop: unknown = isRecord(permission) ? permission['drop'] : undefined
  if (typeof drop === 'function') drop.call(permission, 'worker')
  // Where Node cannot take a permission back.
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
    // Whatever is no refusal broke off somewhere, and may have left a package in the middle of its work.
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

/** By name and code, not by class: the module may have got its `ToolError` from another copy. */
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

/** Behind input, output and errors; `worker.ts` opens it. */
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
  const said = await answer(number, text)
  try {
    send(said)
  } catch (error) {
    // A value that cannot leave this process, such as a function.
    const told = { code: 'TOOL_ERROR', message: String(error), fault: undefined } as const
    send({ type: 'error', number, isSpent: true, ...told } satisfies Answer<unknown>)
  }
}

pipe.on('close', leave)
// A module that does not load is reported as the answer to the first input.
await optionalPackage('', () => loading).catch(() => undefined)
send({ type: 'ready' })
