import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { AgentServices, ModelWrapper } from '../../core/agent/agent-services.ts'

const known = new WeakMap<readonly ModelWrapper[], WeakMap<LanguageModelV4, LanguageModelV4>>()

/** The model with all wrappers, the first outermost; created once per model. */
export function wrapped(
  model: LanguageModelV4,
  { wrapModel, container }: Pick<AgentServices, 'wrapModel' | 'container'>,
): LanguageModelV4 {
  if (wrapModel === undefined || wrapModel.length === 0) return model
  const made = known.get(wrapModel) ?? new WeakMap<LanguageModelV4, LanguageModelV4>()
  known.set(wrapModel, made)
  const before = made.get(model)
  if (before !== undefined) return before
  const around = wrapModel.reduceRight((inner, wrap) => wrap(inner, container), model)
  made.set(model, around)
  return around
}
