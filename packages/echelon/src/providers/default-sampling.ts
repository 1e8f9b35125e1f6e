import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Sampling } from '../core/agent/effect.ts'

/** The same model with default sampling options for calls that set none. */
export function withDefaults(model: LanguageModelV4, sampling: Sampling): LanguageModelV4 {
  const { stop, ...others } = sampling
  const defaults = stop === undefined ? others : { ...others, stopSequences: [...stop] }
  const withSampling = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
    ...defaults,
    ...options,
  })
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (options) => await model.doGenerate(withSampling(options)),
    doStream: async (options) => await model.doStream(withSampling(options)),
  }
}
