import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { JsonObject } from '../../core/value/json.ts'
import type { BoundModel } from '../../core/model/model.ts'
import { OpenCall } from './open-call.ts'
import { askedOf } from './request.ts'
import type { Cleaner } from './secrets.ts'
import type { TapeSink } from './tape-line.ts'

/** The same model; each call is recorded when it ends. */
export function recordedModel(
  { id, model }: BoundModel,
  recording: TapeSink,
  { clean, settings }: { readonly clean: Cleaner; readonly settings: JsonObject },
): LanguageModelV4 {
  const begin = (stream: boolean, options: LanguageModelV4CallOptions): OpenCall => {
    const signal = options.abortSignal
    return new OpenCall(askedOf({ model: id, stream, settings }, options, clean), {
      recording,
      clean,
      signal,
    })
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    async doGenerate(options) {
      const call = begin(false, options)
      try {
        const result = await model.doGenerate(options)
        call.answered(result)
        return result
      } catch (error) {
        call.failed(error)
        throw error
      }
    },
    async doStream(options) {
      const call = begin(true, options)
      try {
        const result = await model.doStream(options)
        return { ...result, stream: call.watched(result.stream) }
      } catch (error) {
        call.failed(error)
        throw error
      }
    },
  }
}
