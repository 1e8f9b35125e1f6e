import type { JsonObject } from 'echelon/runtime'
import type { Interaction } from '../interaction.ts'
import type { Message } from '../message.ts'
import { isToolCall, type Plan, type ToolCall } from '../plan.ts'
import type { PolicyDecision, PolicyEngine } from '../primitives/policy-engine.ts'
import type { FactsGatherer } from './facts-gatherer.ts'
import { allOf, judge } from './judge.ts'
import type { PolicyRules } from './rule.ts'

/**
 * Decides by rules. Each call of a plan is judged by all sets of rules, and all must allow it; a plan without a
 * call does nothing and is allowed. Text in a conversation is never a fact, so it cannot change a decision: the
 * customer is the interaction's `customerId`.
 */
export class RulePolicyEngine implements PolicyEngine {
  readonly #sets: readonly PolicyRules[]
  readonly #gatherer: FactsGatherer

  /** @param rules one or several sets, such as those in force and those on trial */
  constructor(rules: PolicyRules | readonly PolicyRules[], gatherer: FactsGatherer) {
    this.#sets = 'rules' in rules ? [rules] : rules
    this.#gatherer = gatherer
  }

  async validate(
    plan: Plan,
    interaction: Interaction,
    history: readonly Message[],
  ): Promise<PolicyDecision> {
    const decisions: PolicyDecision[] = []
    for (const call of plan.steps.filter(isToolCall)) {
      const judged = { call, intentId: plan.intentId, interaction, history }
      const facts = { ...(await this.#gathered(judged)), ...given(call, plan, interaction) }
      decisions.push(...this.#sets.map((rules) => judge(rules, facts)))
    }
    return allOf(decisions)
  }

  async #gathered(judged: Parameters<FactsGatherer['gather']>[0]): Promise<JsonObject> {
    try {
      return await this.#gatherer.gather(judged)
    } catch {
      return {}
    }
  }
}

/** The facts that no gatherer can change. */
const given = (call: ToolCall, plan: Plan, { context }: Interaction): JsonObject => ({
  tool: call.toolName,
  params: call.params,
  intent: plan.intentId,
  channel: context['channel'] ?? 'chat',
  context,
})
