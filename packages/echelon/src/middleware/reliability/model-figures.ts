import { isRecord, type JsonObject } from '../../core/value/json.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import type { ProblemCode } from '../../core/model/problem.ts'
import { isCount } from './bounded-table.ts'

/**
 * Failures that concern a model or its provider, not just the request or its abort.
 */
export const TELLING: readonly ProblemCode[] = [
  'auth',
  'quota',
  'rate-limit',
  'not-found',
  'timeout',
  'unavailable',
  'unknown',
]

/** A model's last calls, few enough to keep several models in one state. */
export interface LastCalls {
  /** Oldest first: `+` for an answer, `-` for a failure. */
  readonly outcomes: string
  /** Milliseconds of the last answers, oldest first. */
  readonly ms: readonly number[]
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly failure: { readonly code: string; readonly at: number } | null
}

export const NO_CALLS: LastCalls = { outcomes: '', ms: [], at: 0, failure: null }

/** A finished call. */
export interface Sample {
  /** The failure's code; undefined for an answer. */
  readonly code: ProblemCode | undefined
  readonly ms: number
  readonly at: number
}

/**
 * The meaning of an outcome for the called model; undefined if nothing.
 * @param telling failures that concern the model
 */
export function sampleOf(
  outcome: ModelOutcome,
  { began, at }: { readonly began: number; readonly at: number },
  telling: readonly ProblemCode[] = TELLING,
): Sample | undefined {
  if (outcome.type === 'refused') return undefined
  if (outcome.type === 'generated') return { code: undefined, ms: at - began, at }
  const { code, attempts } = outcome.error
  if (!telling.includes(code)) return undefined
  // A refusal by an inner breaker or rate limit adds no information; a missing key is.
  const isUnasked = attempts === 0 && code !== 'auth' && code !== 'not-found'
  return isUnasked ? undefined : { code, ms: at - began, at }
}

/** Limits the size of a row; anything above a quarter of an hour counts the same. */
const MOST_MS = 999_999

export function withSample(calls: LastCalls, { code, ms, at }: Sample, window: number): LastCalls {
  const isAnswer = code === undefined
  return {
    outcomes: (calls.outcomes + (isAnswer ? '+' : '-')).slice(-window),
    ms: isAnswer ? [...calls.ms, Math.min(MOST_MS, Math.round(ms))].slice(-window) : calls.ms,
    at,
    failure: isAnswer ? calls.failure : { code, at },
  }
}

const failuresOf = ({ outcomes }: LastCalls): number => outcomes.split('-').length - 1

export const failuresInARow = ({ outcomes }: LastCalls): number =>
  outcomes.length - outcomes.lastIndexOf('+') - 1

/** Share of the last calls that failed; `null` before the first. */
export const errorRate = (calls: LastCalls): number | null =>
  calls.outcomes === '' ? null : failuresOf(calls) / calls.outcomes.length

/** `null` before the first answer. */
export const meanMs = ({ ms }: LastCalls): number | null =>
  ms.length === 0 ? null : ms.reduce((sum, one) => sum + one, 0) / ms.length

/** By nearest rank; `null` before the first answer. */
export const p95Ms = ({ ms }: LastCalls): number | null =>
  ms.toSorted((a, b) => a - b)[Math.ceil(ms.length * 0.95) - 1] ?? null

export const isLastCalls = (row: unknown): row is LastCalls =>
  isRecord(row) &&
  typeof row['outcomes'] === 'string' &&
  Array.isArray(row['ms']) &&
  row['ms'].every(isCount) &&
  typeof row['at'] === 'number' &&
  (row['failure'] === null || isFailure(row['failure']))

const isFailure = (value: unknown): boolean =>
  isRecord(value) && typeof value['code'] === 'string' && typeof value['at'] === 'number'

export const LAST_CALLS_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    outcomes: { type: 'string' },
    ms: { type: 'array', items: { type: 'integer', minimum: 0 } },
    at: { type: 'number' },
    failure: {
      type: ['object', 'null'],
      properties: { code: { type: 'string' }, at: { type: 'number' } },
      required: ['code', 'at'],
    },
  },
  required: ['outcomes', 'ms', 'at', 'failure'],
}
