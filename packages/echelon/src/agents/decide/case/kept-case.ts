import { EchelonError } from '../../../core/value/error.ts'
import { isRecord, type Json } from '../../../core/value/json.ts'
import type { CaseOptions } from './case-options.ts'
import type { CaseResult } from './case-result.ts'
import { MODES, UNCHECKED } from '../settings/settings.ts'

/**
 * What decides about a case's result; an option that is left out is its documented default, also
 * where the decider has another one: a key holds across configurations.
 */
export function identityOf(input: string, options: CaseOptions): string {
  const { mode = MODES[0], expectedTools = [], goldAnswer = null } = options
  const { seed = null, today = null, timeZone = null } = options
  const { unchecked = UNCHECKED[0] } = options
  const identity = [input, mode, expectedTools, goldAnswer, seed, today, timeZone]
  // Keys of earlier versions say nothing of it, and meant the default.
  return JSON.stringify(unchecked === UNCHECKED[0] ? identity : [...identity, unchecked])
}

/** Whether a result is given again to whoever asks with its key. */
export const isKept = ({
  finish_reason,
  problem,
}: Pick<CaseResult, 'finish_reason' | 'problem'>): boolean =>
  finish_reason !== 'canceled' && problem === null

/**
 * A result as the store has it.
 * @throws EchelonError STATE_REFUSED for what other code kept
 */
export function storedCase(stored: Json): CaseResult {
  const result = withNewFields(stored)
  if (isCaseResult(result)) return result
  throw new EchelonError(
    'STATE_REFUSED',
    'what the store keeps under the idempotency key is no result of this version; use a new key',
  )
}

/** A result that an earlier version kept says whether it was verified, and nothing of a problem. */
function withNewFields(stored: Json): unknown {
  if (!isRecord(stored)) return stored
  const checked = stored['verified'] === true ? 'verified' : 'not_checked'
  return { problem: null, checked, ...stored }
}

/** Every field is looked for: which of them there are is all that tells versions apart. */
const FIELDS: Readonly<Record<keyof CaseResult, true>> = {
  run_id: true,
  answer: true,
  checked: true,
  verified: true,
  finish_reason: true,
  limit: true,
  explanation: true,
  problem: true,
  logs: true,
  artifacts: true,
  counters: true,
  token_usage: true,
  cost: true,
  rungs: true,
}

const isCaseResult = (stored: unknown): stored is CaseResult =>
  isRecord(stored) && Object.keys(FIELDS).every((field) => Object.hasOwn(stored, field))
