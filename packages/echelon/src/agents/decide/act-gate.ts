import type { Meter } from '../../core/agent/agent.ts'
import { exhausted, left } from '../../core/agent/budget.ts'
import { keptBack, type Policy } from './settings/modes.ts'
import type { Loop } from './state.ts'
import { isUncheckable } from './plan/uncheckable.ts'
import type { Verdict } from './verification/verdict.ts'

/** Limits shared by all rungs. `tools` is compared with the calls reserved for higher rungs. */
const SHARED_LIMITS = ['tools', 'seconds', 'tokens', 'money'] as const

/** Other events of a round, besides its verdict. */
export type Trouble =
  | { readonly type: 'none' }
  /** No plan after the reprompt, a model that declined, or a provider that stays down. */
  | {
      readonly type: 'fail'
      readonly why: string
      /** Asking the same model again would fail alike: its key, account or name is wrong. */
      readonly forGood?: boolean
      /** The provider cannot be reached or fails, which says nothing about the question. */
      readonly isDown?: boolean
    }
  /** `why` is set when the limit blocked the round without being reached. */
  | { readonly type: 'limit'; readonly limit: string; readonly why?: string }

/** The gate's decision. `limit` names the limit that caused it, if one did. */
export type Decision =
  | {
      readonly type: 'stop'
      readonly reason: 'success' | 'supported' | 'budget' | 'big_fail' | 'unchecked' | 'blocked'
      readonly limit: string | null
    }
  | { readonly type: 'continue' }
  | { readonly type: 'escalate'; readonly limit: string | null }

export interface Gated {
  readonly decision: Decision
  /** The loop with the round counted and its progress measured. */
  readonly loop: Loop
  /** One clause for the log. */
  readonly why: string
}

/**
 * Adaptive halting, decided after each round. A verified or supported answer stops. A round without a plan, or a stall
 * beyond patience, promotes. A reached limit promotes or ends the run, as `escalate_when` says. Anything else gets
 * another round; the top model gets at most two in all. The run also ends when no model can fix the problem, or when
 * nothing can check the answer, unless such questions are escalated like any other.
 */
export function actGate(
  before: Loop,
  round: { readonly verdict: Verdict; readonly trouble: Trouble },
  meter: Meter,
  policy: Policy,
): Gated {
  const { verdict, trouble } = round
  const loop = countRound(before, verdict, policy)
  if (verdict.passed) {
    return { loop, decision: { type: 'stop', reason: 'success', limit: null }, why: 'verified' }
  }
  if (verdict.checked === 'supported') return stop(loop, 'supported', verdict.reason)
  if (loop.task.rules > 1) {
    if (verdict.blocked === true) return stop(loop, 'blocked', verdict.reason)
    const isOwn = trouble.type !== 'fail' || trouble.isDown !== true
    // With a gate, an answer can be judged, so a model that gives none is promoted like any other.
    const isOpen =
      verdict.uncheckable === true || (loop.task.wanted === undefined && isUncheckable(loop))
    if (isOwn && isOpen && loop.task.unchecked !== 'escalate') {
      return withoutCheck(loop, round, meter, policy)
    }
  }
  // Without the verifier's own calls, no rung can prove anything more.
  if (trouble.type === 'limit' && trouble.limit === 'checks') return budget(loop, trouble.limit)
  const isTop = loop.rung === policy.rungs.length - 1
  return isTop ? atTop(loop, trouble, meter, policy) : belowTop(loop, trouble, meter, policy)
}

/** Progress: an improvement of at least the minimum resets the count of stalled rounds. */
function countRound(before: Loop, { metric, binary }: Verdict, policy: Policy): Loop {
  const minimum = binary ? 1 : policy.minImprovement
  const improved = metric - before.best >= minimum
  return {
    ...before,
    rounds: before.rounds + 1,
    actSteps: before.actSteps + 1,
    reprompt: null,
    best: Math.max(before.best, metric),
    stalled: improved ? 0 : before.stalled + 1,
  }
}

/**
 * Nothing can check an answer, so nothing can show that a bigger model is needed. If a plan gave no answer, the
 * same model may fix it in its remaining rounds.
 */
function withoutCheck(
  loop: Loop,
  { verdict, trouble }: { readonly verdict: Verdict; readonly trouble: Trouble },
  meter: Meter,
  policy: Policy,
): Gated {
  if (trouble.type === 'limit') return budget(loop, trouble.limit, trouble.why)
  if (trouble.type === 'fail') return stop(loop, 'unchecked', trouble.why)
  if (verdict.uncheckable === true) {
    const kept = loop.task.unchecked === 'refuse' ? { ...loop, answer: null } : loop
    return stop(kept, 'unchecked', 'nothing can check the answer')
  }
  const isTop = loop.rung === policy.rungs.length - 1
  const mayGoOn = isTop
    ? policy.bigRetry && loop.rounds < 2
    : loop.stalled <= policy.patience && loop.rounds <= policy.maxSteps
  if (!mayGoOn) return stop(loop, 'unchecked', 'the model gave no answer')
  const reached = sharedLimit(loop.rung, meter, policy) ?? callsLimit(loop, meter, policy)
  if (reached !== undefined) return budget(loop, reached)
  return { loop, decision: { type: 'continue' }, why: 'no answer yet' }
}

/** The top rung has one attempt and at most one retry, unless a retry cannot help. */
function atTop(loop: Loop, trouble: Trouble, meter: Meter, policy: Policy): Gated {
  if (trouble.type === 'limit' && isShared(trouble.limit)) {
    return budget(loop, trouble.limit, trouble.why)
  }
  if (trouble.type === 'fail' && trouble.forGood === true) {
    return bigFail(loop, 'the top model cannot be asked')
  }
  const mayRetry = policy.bigRetry && loop.rounds < 2
  if (trouble.type === 'limit' || !mayRetry) return bigFail(loop, 'the top model failed')
  const shared = sharedLimit(loop.rung, meter, policy)
  if (shared !== undefined) return budget(loop, shared)
  const calls = callsLimit(loop, meter, policy)
  if (calls !== undefined) return bigFail(loop, 'the top model has no calls left')
  return { loop, decision: { type: 'continue' }, why: 'the top model may retry once' }
}

function belowTop(loop: Loop, trouble: Trouble, meter: Meter, policy: Policy): Gated {
  if (trouble.type === 'fail') return escalate(loop, null, trouble.why)
  if (loop.stalled > policy.patience) {
    return escalate(loop, null, `no progress in ${loop.stalled} rounds`)
  }
  const reached =
    (trouble.type === 'limit' ? trouble.limit : undefined) ??
    sharedLimit(loop.rung, meter, policy) ??
    callsLimit(loop, meter, policy) ??
    (loop.rounds > policy.maxSteps ? 'rounds' : undefined)
  if (reached === undefined)
    return { loop, decision: { type: 'continue' }, why: 'not verified yet' }
  const why = trouble.type === 'limit' ? trouble.why : undefined
  return policy.escalateWhen === 'fail_or_budget'
    ? escalate(loop, reached, why ?? isReached(reached))
    : budget(loop, reached, why)
}

const escalate = (loop: Loop, limit: string | null, why: string): Gated => ({
  loop,
  decision: { type: 'escalate', limit },
  why,
})

const isReached = (limit: string): string => `the limit of ${limit} is reached`

const budget = (loop: Loop, limit: string, why = isReached(limit)): Gated => ({
  loop,
  decision: { type: 'stop', reason: 'budget', limit },
  why,
})

const stop = (
  loop: Loop,
  reason: 'supported' | 'big_fail' | 'unchecked' | 'blocked',
  why: string,
): Gated => ({
  loop,
  decision: { type: 'stop', reason, limit: null },
  why,
})

const bigFail = (loop: Loop, why: string): Gated => stop(loop, 'big_fail', why)

const isShared = (limit: string): boolean => SHARED_LIMITS.some((shared) => shared === limit)

function callsLimit(loop: Loop, meter: Meter, policy: Policy): string | undefined {
  return exhausted(meter, [`calls.${policy.rungs[loop.rung]?.role ?? ''}`])
}

/** The shared limit that leaves a rung no budget to act. Free models need no money. */
export function sharedLimit(rung: number, meter: Meter, policy: Policy): string | undefined {
  if (toolAllowance(rung, meter, policy) < 1) return 'tools'
  const isFree = (meter.spent['money'] ?? 0) === 0
  return exhausted(meter, isFree ? SHARED_LIMITS.filter((one) => one !== 'money') : SHARED_LIMITS)
}

/** Tool calls that a rung may still make: those left, less those reserved for higher rungs. */
export function toolAllowance(rung: number, meter: Meter, policy: Policy): number {
  return Math.max(0, left(meter, 'tools') - keptBack(policy, rung))
}
