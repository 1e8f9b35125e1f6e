import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import { mappedStream } from '../../core/model/mapped-stream.ts'
import { type IsOwnThought, withOwnThoughts } from './own-thoughts.ts'
import { withWait } from '../retry-date.ts'

/** A call adapted to the model. */
export interface AdaptedCall {
  readonly options: LanguageModelV4CallOptions
  /** The options that were removed from the call. */
  readonly warnings?: readonly SharedV4Warning[]
  /** Selects warnings to drop because the adaptation expected them. */
  readonly isExpected?: (warning: SharedV4Warning) => boolean
}

/**
 * A model with adapted calls: defaults are added, and unsupported options are removed. Each warning
 * is reported once, with the first answer.
 *
 * @param isOwn which reasoning parts of a conversation the model can read; the others are not sent.
 * Default: all
 */
export function adaptedModel(
  model: LanguageModelV4,
  given: (options: LanguageModelV4CallOptions) => AdaptedCall,
  isOwn: IsOwnThought = () => true,
): LanguageModelV4 {
  const adapt = (options: LanguageModelV4CallOptions): AdaptedCall =>
    given(withOwnThoughts(options, isOwn))
  const reported = new Set<string>()
  const unreported = (call: AdaptedCall, own: readonly SharedV4Warning[]): SharedV4Warning[] =>
    [...(call.warnings ?? []), ...own].filter(
      (warning) => call.isExpected?.(warning) !== true && !reported.has(JSON.stringify(warning)),
    )
  const markReported = (warnings: readonly SharedV4Warning[]): void => {
    for (const warning of warnings) reported.add(JSON.stringify(warning))
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const call = adapt(options)
      const result = await withWait(model.doGenerate(call.options))
      const warnings = unreported(call, result.warnings)
      markReported(warnings)
      return { ...result, warnings }
    },
    async doStream(options) {
      const call = adapt(options)
      const result = await withWait(model.doStream(call.options))
      let warnings: readonly SharedV4Warning[] = []
      const watched = mappedStream(result.stream, (part) => {
        if (part.type === 'stream-start') {
          const start = { ...part, warnings: unreported(call, part.warnings) }
          warnings = start.warnings
          return start
        }
        // A cut stream is started again and must then repeat its warnings.
        if (part.type === 'finish') markReported(warnings)
        return part
      })
      return { ...result, stream: watched }
    },
  }
}
