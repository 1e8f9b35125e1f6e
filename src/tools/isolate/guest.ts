/** The program of a worker: loads the module named by its first argument and answers with it. */
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { optionalPackage } from '../../core/optional-package.ts'
import {
  TOOL_ERRORS,
  TOOL_FAULTS,
  type ToolErrorCode,
  type ToolFault,
} from '../../core/tool-call.ts'
import { TOOL_PACKAGES } from '../packages.ts'
import type { Answer, Message } from './message.ts'

interface Loaded {
  readonly default: (input: unknown) => unknown
  /** Whether the module is as it was when it was loaded; asked after each answer. */
  readonly isIntact?: () => boolean
}

// What an input adds here would be in every object that a later input is read into.
Object.preventExtensions(Object.prototype)
const shared = Object.getOwnPropertyDescriptors(Object.prototype)

const loading: Promise<Loaded> = import(process.argv[2] ?? '')

async function answer(text: string): Promise<Answer<unknown>> {
  try {
    const { default: run } = await optionalPackage(TOOL_PACKAGES, () => loading)
    const value = await run(JSON.parse(text))
    return { type: 'ok', value, isSpent: !(await isIntact()) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = codeOf(error)
    // Whatever is no refusal broke off somewhere, and may have left a package in the middle of its work.
    const isSpent = code !== 'INVALID_ARGS' || !(await isIntact())
    return { type: 'error', code, message, fault: faultOf(error), isSpent }
  }
}

async function isIntact(): Promise<boolean> {
  const module = await loading
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

const isToolErrorCode = (code: unknown): code is ToolErrorCode =>
  typeof code === 'string' && Object.hasOwn(TOOL_ERRORS, code)

const send = (message: Message<unknown>): void => {
  process.send?.(message)
}

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
const residentMb = Number(process.argv[3] ?? 0)
if (residentMb > 0) {
  new Worker(WATCH, { eval: true, workerData: residentMb * 1024 * 1024 }).unref()
}

process.on('message', (text: string) => void answer(text).then(send))
// A module that does not load is reported as the answer to the first input.
await loading.catch(() => undefined)
send({ type: 'ready' })
