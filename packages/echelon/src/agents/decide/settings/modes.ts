import type { Amounts } from '../../../core/agent/budget.ts'
import type { Sampling } from '../../../core/agent/effect.ts'
import type { Reasoning } from '../../../core/model/model.ts'
import { ladderOf } from './default-models.ts'
import { type DecideSettings, invalid, type Mode, MODES, type Unchecked } from './settings.ts'

/** One model of the ladder. */
export interface Rung {
  /** The role that its calls are made and counted under: `small`, `rung2`, … or `big` at the top. */
  readonly role: string
  readonly model: string
  /** Reasoning effort; undefined leaves it to the provider's settings. */
  readonly reasoning: Reasoning | undefined
  /** Tokens of its answer, including reasoning. */
  readonly maxTokens: number
  /** Milliseconds for one attempt on the wire. */
  readonly callTimeoutMs: number
}

/** A model that verifiers of answers ask, beside the ladder. */
export interface AskedRole {
  readonly role: string
  readonly model: string
}

/** The settings as they apply in one mode; the gate and the escalator decide by them. */
export interface Policy {
  readonly mode: Mode
  /** Cheapest first; never empty. The last one is the top. */
  readonly rungs: readonly Rung[]
  /** Models that verifiers of answers ask. */
  readonly asked: readonly AskedRole[]
  /** Further rounds within a rung below the top. */
  readonly maxSteps: number
  readonly patience: number
  readonly minImprovement: number
  /** By verifier name: the minimum metric for a graded answer to pass. */
  readonly thresholds: Readonly<Record<string, number>>
  readonly escalateWhen: DecideSettings['flags']['escalate_when']
  readonly bigRetry: boolean
  /** For cases that do not set it. */
  readonly unchecked: Unchecked
  /** Independent tool calls that run at the same time; 1 unless parallel tools are on. */
  readonly atOnce: number
  /** Actions that a plan may hold. */
  readonly planSize: number
  readonly maxInputChars: number
  readonly maxPromptTokens: number
  /** For every rung, under the first rules. */
  readonly maxPlanTokens: number
  /** Without the seed, which belongs to the case. */
  readonly sampling: Omit<Sampling, 'seed'>
  /** Milliseconds for one attempt on the wire; for every rung, under the first rules. */
  readonly callTimeoutMs: number
  /** The run's hard limits. */
  readonly limits: Amounts
}

const PLAN_SIZE = 3
/** Tokens that a plan may use, below the ceiling of `max_completion_tokens`. */
const PLAN_TOKENS = 500
const ROUNDS_BY_DEFAULT = { hrm_small_then_escalate: 3, fallback_only: 0 } as const

/**
 * The policy of a mode: the settings, with the overrides in `modes`. `fallback_only` gives the small model one
 * round, or two with `act.max_steps: 1`; a higher value contradicts the mode and is refused.
 */
export function policyFor(
  given: DecideSettings,
  mode: Mode,
  ask: Readonly<Record<string, string>> = {},
): Policy {
  if (!MODES.includes(mode)) throw invalid(`there is no mode ${mode}; use ${MODES.join(' or ')}`)
  const settings = settingsFor(given, mode)
  const { act, flags, limits, security, verifier_thresholds } = settings
  const maxSteps = act.max_steps ?? ROUNDS_BY_DEFAULT[mode]
  if (mode === 'fallback_only' && maxSteps > 1) {
    throw invalid(`act.max_steps is ${maxSteps}; in fallback_only it may be 0 or 1`)
  }
  const rungs = rungsOf(settings)
  const asked = Object.entries(ask).map(([role, model]) => ({ role, model }))
  return {
    mode,
    rungs,
    asked,
    maxSteps,
    patience: act.no_progress_patience,
    minImprovement: act.min_improvement,
    thresholds: verifier_thresholds,
    escalateWhen: flags.escalate_when,
    bigRetry: flags.allow_big_retry_once,
    unchecked: flags.unchecked,
    atOnce: flags.parallel_tools ? security.max_concurrent_tool_calls : 1,
    planSize: PLAN_SIZE,
    maxInputChars: limits.max_input_chars,
    maxPromptTokens: limits.max_prompt_tokens,
    maxPlanTokens: planTokens(limits),
    sampling: samplingOf(settings),
    callTimeoutMs: limits.max_call_seconds * 1000,
    limits: limitsOf(settings, rungs, asked),
  }
}

/**
 * The policy with a further limit of money for one case: the lower one holds.
 * @throws EchelonError INVALID_CONFIG for anything but a positive number
 */
export function withMaxCost(policy: Policy, maxCost: number | undefined): Policy {
  if (maxCost === undefined) return policy
  if (!(maxCost > 0)) throw invalid(`maxCost is ${maxCost}; give US dollars above 0`)
  const money = Math.min(maxCost, policy.limits['money'] ?? Infinity)
  return { ...policy, limits: { ...policy.limits, money } }
}

/** The policy with other models, by role, such as those that a recorded case began with. */
export const withModels = (policy: Policy, models: Readonly<Record<string, string>>): Policy => ({
  ...policy,
  rungs: policy.rungs.map((rung) => ({ ...rung, model: models[rung.role] ?? rung.model })),
})

function samplingOf({ sampling }: DecideSettings): Policy['sampling'] {
  const { temperature, top_p, frequency_penalty, presence_penalty, stop } = sampling
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(top_p === null ? {} : { topP: top_p }),
    ...(frequency_penalty === null ? {} : { frequencyPenalty: frequency_penalty }),
    ...(presence_penalty === null ? {} : { presencePenalty: presence_penalty }),
    ...(stop === null ? {} : { stop }),
  }
}

function settingsFor(settings: DecideSettings, mode: Mode): DecideSettings {
  const { budget, act } = settings.modes[mode] ?? {}
  return {
    ...settings,
    budget: { ...settings.budget, ...budget },
    act: { ...settings.act, ...act },
  }
}

function rungsOf(settings: DecideSettings): readonly Rung[] {
  const { reasoning } = settings
  const names = ladderOf(settings.models)
  return names.map((model, index) => ({
    model,
    role: roleOf(index, names.length),
    ...ceilingsOf(settings, index === 0 ? (reasoning.small ?? 'least') : reasoning.big),
  }))
}

/** A reasoning model needs tokens and time beyond those of its plan. */
function ceilingsOf(
  { limits }: DecideSettings,
  reasoning: Reasoning | null,
): Pick<Rung, 'reasoning' | 'maxTokens' | 'callTimeoutMs'> {
  const thinks = reasoning !== 'least'
  return {
    reasoning: reasoning ?? undefined,
    maxTokens: thinks ? limits.max_reasoning_tokens : planTokens(limits),
    callTimeoutMs: 1000 * (thinks ? limits.max_reasoning_seconds : limits.max_call_seconds),
  }
}

const planTokens = ({ max_completion_tokens: most }: DecideSettings['limits']): number =>
  Math.min(PLAN_TOKENS, most)

function roleOf(index: number, rungs: number): string {
  if (index === 0) return 'small'
  return index === rungs - 1 ? 'big' : `rung${index + 1}`
}

function limitsOf(
  { budget }: DecideSettings,
  rungs: readonly Rung[],
  asked: readonly AskedRole[],
): Amounts {
  const beyondTwo = Math.max(0, rungs.length - 2)
  const calls = [...rungs, ...asked].map(({ role }) => [
    `calls.${role}`,
    role === 'big' ? budget.max_llm_calls_big : budget.max_llm_calls_small,
  ])
  return {
    ...Object.fromEntries(calls),
    tools: budget.max_tool_calls ?? 6 + PLAN_SIZE * beyondTwo,
    checks: budget.max_checks ?? 12 + 6 * beyondTwo,
    seconds: budget.max_seconds,
    ...(budget.max_tokens === null ? {} : { tokens: budget.max_tokens }),
    ...(budget.max_cost_usd === null ? {} : { money: budget.max_cost_usd }),
  }
}

/**
 * Tool calls reserved for higher rungs: one full plan for each. Without them, two failed small rounds of a stock
 * task would leave the big model no calls.
 */
export function keptBack(policy: Policy, rung: number): number {
  const above = policy.rungs.length - 1 - rung
  const spare = Math.max(0, (policy.limits['tools'] ?? Infinity) - policy.planSize)
  return Math.min(policy.planSize * above, spare)
}
