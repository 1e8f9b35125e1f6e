import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/** How a provider words a call so that its models take it. */
export type Prepare = (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions

/** The same model, whose calls are worded by `prepare`, streamed or not. */
export const prepared = (model: LanguageModelV4, prepare: Prepare): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: model.provider,
  modelId: model.modelId,
  supportedUrls: model.supportedUrls,
  doGenerate: (options) => model.doGenerate(prepare(options)),
  doStream: (options) => model.doStream(prepare(options)),
})
