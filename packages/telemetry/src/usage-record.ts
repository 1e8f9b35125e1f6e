import { isRecord } from 'echelon/internal/value'
import type { RunEnded } from 'echelon/internal/observability'

/** Tokens and money of one model of the ladder in one run. */
export interface UsageOfRung {
  readonly tier: string
  readonly model: string
  /** Attempts on the wire. */
  readonly llm_calls: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** US dollars; null where the cost of a call is unknown. */
  readonly cost: number | null
  /** US dollars of the calls whose cost is known. */
  readonly known_cost: number
  /** Calls whose cost is unknown: their model has no price, or no usage was reported. */
  readonly unpriced_calls: number
  /**
   * Calls that reported no usage that can be true, so that their worst case is charged, as far as a limit
   * reserved one. Absent where there are none.
   */
  readonly assumed_calls?: number
}

/** What a run can be for other than its answer: `evaluation`, to measure the models. */
export type RunPurpose = 'evaluation'

/**
 * What a run took: one line of the usage file. It holds no text of the user, of a model or of a
 * tool. A run that was resumed tells its total again, so that its last record counts.
 */
export interface UsageRecord {
  readonly kind: 'usage'
  /** When the run ended: ISO 8601 with the zone's offset. */
  readonly ts: string
  readonly run_id: string
  /** What the run was for; without it, for its answer. */
  readonly purpose?: RunPurpose
  /** The audit log could not be written then, as on a full disk: that it lacks the run is no cut. */
  readonly unaudited?: true
  readonly mode: string
  readonly finish_reason: string
  readonly verified: boolean
  /** Working time. */
  readonly seconds: number
  readonly tool_calls: number
  readonly act_steps: number
  readonly rungs: readonly UsageOfRung[]
  readonly total_tokens: number
  /** US dollars; null where the cost of a call is unknown. */
  readonly cost: number | null
}

export function usageOf(
  ended: RunEnded,
  purpose?: RunPurpose,
  { isAudited = true }: { readonly isAudited?: boolean } = {},
): UsageRecord {
  const { ts, runId, mode, finishReason, verified, seconds, toolCalls, actSteps } = ended
  const rungs = ended.rungs.map(
    ({
      tier,
      model,
      llmCalls,
      promptTokens,
      completionTokens,
      knownCost,
      unpricedCalls,
      assumedCalls,
    }) => ({
      tier,
      model,
      llm_calls: llmCalls,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      cost: unpricedCalls > 0 ? null : knownCost,
      known_cost: knownCost,
      unpriced_calls: unpricedCalls,
      ...(assumedCalls !== undefined && { assumed_calls: assumedCalls }),
    }),
  )
  return {
    kind: 'usage',
    ts,
    run_id: runId,
    ...(purpose === undefined ? {} : { purpose }),
    ...(isAudited ? {} : { unaudited: true }),
    mode,
    finish_reason: finishReason,
    verified,
    seconds: Math.round(seconds * 1000) / 1000,
    tool_calls: toolCalls,
    act_steps: actSteps,
    rungs,
    total_tokens: rungs.reduce((sum, one) => sum + one.prompt_tokens + one.completion_tokens, 0),
    cost: rungs.some(({ cost }) => cost === null)
      ? null
      : rungs.reduce((sum, { known_cost }) => sum + known_cost, 0),
  }
}

/** The record that a line holds, or why it is none. Fields that it has beyond ours are let be. */
export function usageIn(line: string): UsageRecord | string {
  try {
    const value: unknown = JSON.parse(line)
    return isUsage(value) ? value : 'it is no usage record'
  } catch {
    return 'it is no JSON: torn, or from somewhere else'
  }
}

const TEXTS = ['run_id', 'mode', 'finish_reason']
const AMOUNTS = ['seconds', 'tool_calls', 'act_steps', 'total_tokens']
const AMOUNTS_OF_RUNG = [
  'llm_calls',
  'prompt_tokens',
  'completion_tokens',
  'known_cost',
  'unpriced_calls',
]

function isUsage(value: unknown): value is UsageRecord {
  return (
    isRecord(value) &&
    value['kind'] === 'usage' &&
    typeof value['ts'] === 'string' &&
    !Number.isNaN(Date.parse(value['ts'])) &&
    typeof value['verified'] === 'boolean' &&
    (value['purpose'] === undefined || value['purpose'] === 'evaluation') &&
    (value['unaudited'] === undefined || value['unaudited'] === true) &&
    TEXTS.every((name) => typeof value[name] === 'string') &&
    AMOUNTS.every((name) => isAmount(value[name])) &&
    isCost(value['cost']) &&
    Array.isArray(value['rungs']) &&
    value['rungs'].every(isRung)
  )
}

const isRung = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['tier'] === 'string' &&
  typeof value['model'] === 'string' &&
  AMOUNTS_OF_RUNG.every((name) => isAmount(value[name])) &&
  (value['assumed_calls'] === undefined || isAmount(value['assumed_calls'])) &&
  isCost(value['cost'])

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

const isCost = (value: unknown): boolean => value === null || isAmount(value)
