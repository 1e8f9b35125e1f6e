import { EchelonError } from '../../../core/value/error.ts'
import { isRecord, type Json } from '../../../core/value/json.ts'
import type { CaseOptions } from './case-options.ts'
import type { CaseResult } from './case-result.ts'
import { MODES, UNCHECKED } from '../settings/settings.ts'

/**
 * Everything that determines a case's result. An omitted option counts as its documented default, even if the
 * decider has another one, so a key holds across configurations.
 */
export function identityOf(input: string, options: CaseOptions): string {
  const { mode = MODES[0], expectedTools = [], goldAnswer = null } = options
  const { seed = null, today = null, timeZone = null } = options
  const { unchecked = UNCHECKED[0], wanted } = options
  const identity = [input, mode, expectedTools, goldAnswer, seed, today, timeZone]
  // Keys of earlier versions lack this field and implied the default.
  if (wanted !== undefined) return JSON.stringify([...identity, unchecked, wanted])
  return JSON.stringify(unchecked === UNCHECKED[0] ? identity : [...identity, unchecked])
}

/** Whether a result is returned again for its key. */
export const isKept = ({
  finish_reason,
  problem,
}: Pick<CaseResult, 'finish_reason' | 'problem'>): boolean =>
  finish_reason !== 'canceled' && problem === null

/**
 * Reads a stored result.
 * @throws EchelonError STATE_REFUSED if other code stored it
 */
export function storedCase(stored: Json): CaseResult {
  const result = withNewFields(stored)
  if (isCaseResult(result)) return result
  throw new EchelonError(
    'STATE_REFUSED',
    'the result stored under the idempotency key is not of this version; use a new key',
  )
}

/** Results of earlier versions lack what was added since. */
function withNewFields(stored: Json): unknown {
  if (!isRecord(stored)) return stored
  const checked = stored['verified'] === true ? 'verified' : 'not_checked'
  return { problem: null, checked, confidence: null, opinions: [], ...stored }
}

/** Check every field: only the set of fields distinguishes versions. */
const FIELDS: Readonly<Record<keyof CaseResult, true>> = {
  run_id: true,
  answer: true,
  checked: true,
  confidence: true,
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
  opinions: true,
}

const isCaseResult = (stored: unknown): stored is CaseResult =>
  isRecord(stored) && Object.keys(FIELDS).every((field) => Object.hasOwn(stored, field))
