import { isRecord } from '../../core/value/json.ts'
import {
  TOOL_ERRORS,
  TOOL_FAULTS,
  type ToolErrorCode,
  type ToolFault,
} from '../../core/tool/tool-call.ts'

/** A question to a worker: one input, as JSON. */
export interface Question {
  readonly number: number
  readonly text: string
}

/** A message from a worker: once that its module has loaded, then one answer per question. */
export type Message<Output> = { readonly type: 'ready' } | Answer<Output>

export type Answer<Output> = {
  readonly number: number
  /** A spent worker gets no further question, since the input may have left something behind. */
  readonly isSpent: boolean
} & (
  | { readonly type: 'ok'; readonly value: Output }
  | {
      readonly type: 'error'
      readonly code: ToolErrorCode
      readonly message: string
      readonly fault: ToolFault | undefined
    }
)

/** An input may have taken over the worker's code, so any message may arrive. */
export function isMessage<Output>(value: unknown): value is Message<Output> {
  if (!isRecord(value)) return false
  if (value['type'] === 'ready') return true
  if (typeof value['number'] !== 'number' || typeof value['isSpent'] !== 'boolean') return false
  return value['type'] === 'ok' || isError(value)
}

const isError = ({ type, code, message, fault }: Readonly<Record<string, unknown>>): boolean =>
  type === 'error' && isToolErrorCode(code) && typeof message === 'string' && isFault(fault)

const isFault = (fault: unknown): boolean =>
  fault === undefined || TOOL_FAULTS.some((one) => one === fault)

export const isToolErrorCode = (code: unknown): code is ToolErrorCode =>
  typeof code === 'string' && Object.hasOwn(TOOL_ERRORS, code)
