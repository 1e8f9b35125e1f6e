import type { Moved } from '../../packages/echelon/src/core/agent/agent.ts'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { Policy } from '../../packages/echelon/src/agents/decide/settings/modes.ts'
import type { DecideState } from '../../packages/echelon/src/agents/decide/state.ts'
import { isGated, isTop, type Step } from './step.ts'

/** Rules for every single step of every run, by name. */
export const RULES: Readonly<Record<string, (step: Step, policy: Policy) => boolean>> = {
  'no limit of the budget is exceeded': ({ spent }, { limits }) =>
    Object.entries(spent).every(([counter, amount]) => amount <= (limits[counter] ?? Infinity)),

  'tool calls kept back for higher rungs stay untouched': ({ before, spent }, policy) =>
    (spent['tools'] ?? 0) <= (policy.limits['tools'] ?? Infinity) - keptBack(before, policy),

  'a run that ends by its budget names the limit': ({ moved: { state } }) =>
    state.phase !== 'done' || (state.reason === 'budget') === (state.limit !== null),

  'the tier never goes down': ({ before, moved: { state } }) => state.loop.rung >= before.loop.rung,

  'no promotion without escalate_to_big in the log': ({ before, moved }) =>
    moved.state.loop.rung === before.loop.rung || promotion(moved) !== undefined,

  'nobody is promoted to act with nothing': ({ moved, spent }, { limits }) =>
    promotion(moved) === undefined ||
    ['tools', 'seconds'].every((limit) => (spent[limit] ?? 0) < (limits[limit] ?? Infinity)),

  'evidence is neither lost nor changed': ({ before, moved: { state } }) => {
    const { evidence } = state.loop
    return before.loop.evidence.every((one, index) => evidence[index] === one)
  },

  'a gate decision is a round, and nothing else is': ({ before, moved }) => {
    const { actSteps, rounds, rung } = moved.state.loop
    const gated = isGated(moved) ? 1 : 0
    const isNewRung = rung !== before.loop.rung
    const expected = isNewRung ? 0 : before.loop.rounds + gated
    return actSteps === before.loop.actSteps + gated && rounds === expected
  },

  'another round below the top needs patience and max_steps': (step, policy) => {
    const { rounds, stalled } = step.moved.state.loop
    if (!isContinued(step) || isTop(step.before, policy)) return true
    return rounds <= policy.maxSteps && stalled <= policy.patience
  },

  'the top model has one retry, if it may': (step, policy) =>
    !isContinued(step) ||
    !isTop(step.before, policy) ||
    (policy.bigRetry && step.moved.state.loop.rounds === 1),

  'a bad plan is reprompted once': ({ before, moved }) => {
    const { reprompt } = moved.state.loop
    if (isGated(moved)) return reprompt === null
    const isAskedAgain = before.phase === 'plan' && moved.state.phase === 'plan'
    return !isAskedAgain || (before.loop.reprompt === null && reprompt !== null)
  },

  'a limit alone promotes under fail_or_budget only': (step, policy) =>
    policy.escalateWhen === 'fail_or_budget' ||
    promotion(step.moved) === undefined ||
    isFailure(step) ||
    step.before.loop.stalled + 1 > policy.patience,

  'what failed for good is promoted, or nothing is left': (step, policy) =>
    !isFailure(step) ||
    isOpen(step) ||
    isTop(step.before, policy) ||
    (step.moved.notes ?? []).at(-1)?.stage === 'escalate',

  'no bigger model is asked where nothing can check the answer': (step) =>
    !isOpen(step) || step.moved.state.loop.rung === step.before.loop.rung,

  'an answer that nothing can check ends the run': ({ before, moved: { state, notes = [] } }) =>
    !notes.some(({ data }) => data['event'] === 'answered') ||
    before.loop.task.wanted !== undefined ||
    (before.loop.claim.kind === 'unknown' &&
      state.phase === 'done' &&
      state.reason === 'unchecked' &&
      state.loop.checked === 'not_checked'),

  'what no model can mend ends the run': ({ before, moved: { state } }) => {
    const fresh = state.loop.evidence.slice(before.loop.evidence.length)
    const isBroken = fresh.some(
      ({ outcome }) => outcome.type === 'error' && outcome.fault === 'setup',
    )
    return !isBroken || state.phase !== 'plan'
  },

  'an answer is proved, refuted or not checked, as the run ended': ({ moved: { state } }) =>
    state.phase !== 'done' || (state.reason === 'success') === (state.loop.checked === 'verified'),

  'what was verified is a success, and nothing else is': ({ moved: { state, notes = [] } }) =>
    (state.phase === 'done' && state.reason === 'success') ===
    notes.some(({ data }) => data['event'] === 'verified'),
}

/** One full plan for each rung above, as far as the limit exceeds one plan. */
function keptBack({ loop }: DecideState, { limits, rungs }: Policy): number {
  const above = rungs.length - 1 - loop.rung
  return Math.min(3 * above, Math.max(0, (limits['tools'] ?? Infinity) - 3))
}

const promotion = ({ notes = [] }: Moved<DecideState>): JsonObject | undefined =>
  notes.find(({ data }) => data['event'] === 'escalate_to_big')?.data

const isContinued = ({ before, moved }: Step): boolean =>
  isGated(moved) && moved.state.phase === 'plan' && moved.state.loop.rung === before.loop.rung

/** Nothing can check the answer, and the requested model responded. */
const isOpen = ({ before, seen }: Step): boolean =>
  before.loop.task.wanted === undefined &&
  before.loop.claim.kind === 'unknown' &&
  before.loop.task.unchecked !== 'escalate' &&
  seen.type !== 'failed'

/** Declined, permanently down, or no plan after the reprompt. */
function isFailure({ seen, moved }: Step): boolean {
  if (seen.type !== 'generated') return seen.type === 'failed'
  const event = moved.notes?.[0]?.data['event']
  return isGated(moved) && (event === 'declined' || event === 'plan_schema_error')
}
