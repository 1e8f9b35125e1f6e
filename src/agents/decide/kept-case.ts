import { EchelonError } from '../../core/error.ts'
import { isRecord, type Json } from '../../core/json.ts'
import type { CaseOptions } from './case-options.ts'
import type { CaseResult } from './case-result.ts'
import { MODES } from './settings.ts'

/**
 * What decides about a case's result; an option that is left out is its documented default, also
 * where the decider has another one: a key holds across configurations.
 */
export function identityOf(input: string, options: CaseOptions): string {
  const { mode = MODES[0], expectedTools = [], goldAnswer = null } = options
  const { seed = null, today = null, timeZone = null } = options
  return JSON.stringify([input, mode, expectedTools, goldAnswer, seed, today, timeZone])
}

/** Whether a result is given again to whoever asks with its key. */
export const isKept = ({ finish_reason }: CaseResult): boolean => finish_reason !== 'canceled'

/**
 * A result as the store has it.
 * @throws EchelonError STATE_REFUSED for what other code kept
 */
export function storedCase(stored: Json): CaseResult {
  if (isCaseResult(stored)) return stored
  throw new EchelonError(
    'STATE_REFUSED',
    'what the store keeps under the idempotency key is no result of this version; use a new key',
  )
}

/** Every field is looked for: which of them there are is all that tells versions apart. */
const FIELDS: Readonly<Record<keyof CaseResult, true>> = {
  run_id: true,
  answer: true,
  verified: true,
  finish_reason: true,
  limit: true,
  explanation: true,
  logs: true,
  artifacts: true,
  counters: true,
  token_usage: true,
  cost: true,
  rungs: true,
}

const isCaseResult = (stored: unknown): stored is CaseResult =>
  isRecord(stored) && Object.keys(FIELDS).every((field) => Object.hasOwn(stored, field))
