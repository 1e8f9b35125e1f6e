import { isRecord } from 'echelon/internal/value'
import type { RunEnded } from 'echelon/internal/observability'

/** Tokens and cost of one model of the ladder in one run. */
export interface UsageOfRung {
  readonly tier: string
  readonly model: string
  /** Attempts over the network. */
  readonly llm_calls: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** US dollars; null if the cost of any call is unknown. */
  readonly cost: number | null
  /** US dollars of the calls with known cost. */
  readonly known_cost: number
  /** Calls of unknown cost: their model has no price, or no usage was reported. */
  readonly unpriced_calls: number
  /**
   * Calls without plausible usage, charged at the worst case that a limit reserved for them. Absent
   * without such calls.
   */
  readonly assumed_calls?: number
}

/** Purpose of a run other than its answer: `evaluation`, to measure the models. */
export type RunPurpose = 'evaluation'

/**
 * Usage of one run: one line of the usage file. It holds no text of the user, a model or a tool. A
 * resumed run writes its total again; its last record counts.
 */
export interface UsageRecord {
  readonly kind: 'usage'
  /** End of the run: ISO 8601 with the zone's offset. */
  readonly ts: string
  readonly run_id: string
  /** Purpose of the run; absent for a normal run. */
  readonly purpose?: RunPurpose
  /**
   * The audit log could not be written then, for example on a full disk: the missing run is not
   * tampering.
   */
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
  /** US dollars; null if the cost of any call is unknown. */
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

/** The record on a line, or why it is not one. Additional fields are ignored. */
export function usageIn(line: string): UsageRecord | string {
  try {
    const value: unknown = JSON.parse(line)
    return isUsage(value) ? value : 'it is not a usage record'
  } catch {
    return 'it is not JSON: torn, or written by something else'
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
