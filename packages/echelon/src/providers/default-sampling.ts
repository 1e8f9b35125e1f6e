import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Sampling } from '../core/agent/effect.ts'

/** The same model, told how to choose its words where a call does not say. */
export function withDefaults(model: LanguageModelV4, sampling: Sampling): LanguageModelV4 {
  const { stop, ...others } = sampling
  const defaults = stop === undefined ? others : { ...others, stopSequences: [...stop] }
  const told = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
    ...defaults,
    ...options,
  })
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (options) => await model.doGenerate(told(options)),
    doStream: async (options) => await model.doStream(told(options)),
  }
}
