import { isJsonObject } from 'echelon/internal/value'
import { defineMiddleware } from 'echelon/internal/extension'
import type { Middleware } from 'echelon'
import type { Verdict } from 'echelon/middleware'
import type { PlanStep } from '../plan.ts'
import type { DataSource } from '../primitives/data-source.ts'
import type { PolicyDecision, PolicyEngine } from '../primitives/policy-engine.ts'
import { decisionIn, undecided } from '../turn/policy-decision.ts'
import { needsPersonReason } from '../turn/tool-result.ts'
import type { SupportState } from '../turn/support-state.ts'
import { restsOn } from './approval-rests.ts'

interface CallPolicy {
  readonly policy: PolicyEngine
  readonly standing: () => SupportState
  readonly dataSource: Pick<DataSource, 'getOrder'>
  readonly hash: (text: string) => string
}

/**
 * Asks the policy engine about each call: ahead, with the rest of its plan, before anything is said; and
 * once more as it is made, since a model may have written another call or the world may have changed.
 */
export const callPolicy = (rules: CallPolicy): Middleware =>
  defineMiddleware({
    name: 'callPolicy',
    namespace: 'echelon',
    async permit(request, next) {
      if (request.type !== 'call') return next(request)
      const { call, ahead = false } = request
      if (ahead) return verdictAhead(rules)
      const params = isJsonObject(call.input) ? call.input : {}
      const denied = await denial(rules, { toolName: call.tool, params })
      return denied ?? next(request)
    },
  })()

/** The engine's decision on the rest of the plan, with a digest of the orders that an approval would cover. */
async function verdictAhead(rules: CallPolicy): Promise<Verdict> {
  const { execution } = rules.standing().task ?? {}
  const left = execution?.steps.slice(execution.currentIndex).map(({ step }) => step) ?? []
  if (left.length === 0) return verdictOf(undecided('there is no plan'), null)
  const decision = await decisionOn(rules, left)
  return verdictOf(decision, await restsOn(rules, left))
}

function verdictOf(decision: PolicyDecision, rests: string | null): Verdict {
  const details = { ...decision, rests }
  if (decision.allowed) return { type: 'allow', details }
  const why = reasonOf(decision)
  return decision.requiresEscalation
    ? { type: 'ask', why, details }
    : { type: 'deny', reason: why, details }
}

/** Denies this call, or returns nothing if it may be made. */
async function denial(rules: CallPolicy, call: PlanStep): Promise<Verdict | undefined> {
  const { task } = rules.standing()
  const isChanged = task?.rests !== undefined && task.rests !== (await restsOn(rules, [call]))
  if (isChanged) {
    return { type: 'deny', reason: 'the order has changed since that was approved; ask again' }
  }
  const decision = await decisionOn(rules, [call])
  // Without a task there is no approval.
  const isApproved = decision.requiresEscalation && (task?.approvedBy ?? null) !== null
  if (decision.allowed || isApproved) return undefined
  const [rule] = decision.rules ?? []
  // What the rules ahead did not see yet: the plan waits for a person instead of failing.
  if (decision.requiresEscalation && task !== null) {
    return { type: 'deny', reason: needsPersonReason(await restsOn(rules, [call])) }
  }
  return { type: 'deny', reason: reasonOf(decision), ...(rule !== undefined && { rule }) }
}

/** An engine that throws allows nothing. */
async function decisionOn(
  { policy, standing }: CallPolicy,
  steps: readonly PlanStep[],
): Promise<PolicyDecision> {
  const { task, input, history } = standing()
  const { intentId = '', reasoning = '' } = task ?? {}
  const plan = { intentId, steps, reasoning }
  try {
    return decisionIn(await policy.validate(plan, input.interaction, history))
  } catch (error) {
    return undecided(error instanceof Error ? error.message : String(error))
  }
}

const reasonOf = ({ violations }: PolicyDecision): string =>
  violations.join('; ') || 'it is not allowed'
