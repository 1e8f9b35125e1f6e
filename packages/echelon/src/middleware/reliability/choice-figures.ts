import { isRecord, type JsonObject } from '../../core/value/json.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import { isCount } from './bounded-table.ts'
import type { Sample } from './model-figures.ts'
import { knownCost } from '../spending.ts'

/**
 * Measurements of a model as moving averages, small enough to keep many models in one state.
 */
export interface ChoiceFigures {
  /** Measured calls. */
  readonly calls: number
  /** Share of them that failed. */
  readonly errors: number
  /** Consecutive failures so far. */
  readonly failing: number
  /** Milliseconds since the epoch of the last failure; `null` without one. */
  readonly failedAt: number | null
  /** Answers among them. */
  readonly answers: number
  /** Milliseconds of an answer; `null` before the first. */
  readonly ms: number | null
  /** US dollars of an answer; `null` if the last one's cost is unknown. */
  readonly cost: number | null
}

export const NO_FIGURES_YET: ChoiceFigures = {
  calls: 0,
  errors: 0,
  failing: 0,
  failedAt: null,
  answers: 0,
  ms: null,
  cost: null,
}

/** Number of calls after which a new value weighs a twentieth in an average. */
const WINDOW = 20

/** Adds one call. */
export function withCall(
  before: ChoiceFigures,
  { code, ms, at }: Sample,
  outcome: ModelOutcome,
): ChoiceFigures {
  const calls = before.calls + 1
  if (code !== undefined) {
    const errors = moved(before.errors, 1, calls)
    return { ...before, calls, errors, failing: before.failing + 1, failedAt: at }
  }
  const answers = before.answers + 1
  const cost = outcome.type === 'generated' ? knownCost(outcome.cost) : null
  return {
    calls,
    errors: moved(before.errors, 0, calls),
    failing: 0,
    failedAt: before.failedAt,
    answers,
    ms: moved(before.ms, ms, answers),
    cost: cost === null ? null : moved(before.cost, cost, answers),
  }
}

function moved(before: number | null, figure: number, count: number): number {
  if (before === null) return figure
  const next = before + (figure - before) / Math.min(count, WINDOW)
  return Number(next.toPrecision(8))
}

/** Weights of the figures. An omitted one is 0. */
export interface ChoiceWeights {
  readonly latency?: number
  readonly cost?: number
  readonly errors?: number
}

/**
 * A model's score among others from 0 to 1, lower is better: each figure as a share of the largest,
 * weighted. Time and cost are per successful answer, so a failure rate of one half doubles both; an
 * unknown figure counts as the largest.
 */
export function scoresOf(
  figures: readonly ChoiceFigures[],
  { latency = 0, cost = 0, errors = 0 }: ChoiceWeights,
): readonly number[] {
  const times = shares(figures.map((one) => perAnswer(one.ms, one)))
  const costs = shares(figures.map((one) => perAnswer(one.cost, one)))
  const failures = shares(figures.map((one) => one.errors))
  const sum = latency + cost + errors
  return figures.map((_, index) => {
    const of = (share: readonly number[]): number => share[index] ?? 1
    return (latency * of(times) + cost * of(costs) + errors * of(failures)) / sum
  })
}

const perAnswer = (figure: number | null, { errors }: ChoiceFigures): number | null =>
  figure === null ? null : figure / Math.max(0.05, 1 - errors)

function shares(figures: readonly (number | null)[]): readonly number[] {
  const most = Math.max(0, ...figures.map((one) => one ?? 0))
  return figures.map((one) => {
    if (one === null) return 1
    return most === 0 ? 0 : one / most
  })
}

const AMOUNT = (value: unknown): boolean => value === null || typeof value === 'number'

export const isChoiceFigures = (row: unknown): row is ChoiceFigures =>
  isRecord(row) &&
  ['calls', 'failing', 'answers'].every((field) => isCount(row[field])) &&
  typeof row['errors'] === 'number' &&
  ['failedAt', 'ms', 'cost'].every((field) => AMOUNT(row[field]))

const COUNT = { type: 'integer', minimum: 0 }
const MAYBE = { type: ['number', 'null'] }

export const CHOICE_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    calls: COUNT,
    errors: { type: 'number' },
    failing: COUNT,
    failedAt: MAYBE,
    answers: COUNT,
    ms: MAYBE,
    cost: MAYBE,
  },
  required: ['calls', 'errors', 'failing', 'failedAt', 'answers', 'ms', 'cost'],
}
