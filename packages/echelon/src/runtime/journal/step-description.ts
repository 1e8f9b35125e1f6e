import type { Effect } from '../../core/agent/effect.ts'
import type { Branch } from '../branch.ts'

/** Describes a step for its start event. */
export interface StepDescription {
  readonly effect: Effect['type']
  readonly actor: string
  readonly targets: readonly string[]
  readonly role?: string
  readonly prompt?: string
}

export function describeStep(branch: Branch, asked: Effect): StepDescription {
  if (asked.type === 'together') {
    const parts = asked.effects.map((one) => describeStep(branch, one))
    return { effect: 'together', actor: '', targets: parts.flatMap((part) => part.targets) }
  }
  const described = { effect: asked.type, actor: asked.actor, targets: targetsOf(branch, asked) }
  if (asked.type !== 'generate') return described
  const prompt = branch.tree.promptIds.of(asked.messages)
  return { ...described, role: asked.role, prompt }
}

function targetsOf(
  { models }: Branch,
  asked: Exclude<Effect, { type: 'together' }>,
): readonly string[] {
  if (asked.type === 'generate') return [models[asked.role]?.id ?? asked.role]
  if (asked.type === 'call-tools') return asked.calls.map((call) => call.tool)
  if (asked.type === 'permit') return [asked.call.tool]
  return asked.type === 'recall' || asked.type === 'remember' ? [asked.memory] : []
}
