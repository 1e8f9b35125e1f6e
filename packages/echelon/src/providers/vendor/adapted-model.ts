import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import { mappedStream } from '../../core/model/mapped-stream.ts'
import { type IsOwnThought, withOwnThoughts } from './own-thoughts.ts'
import { withWait } from '../retry-date.ts'

/** A call as a model takes it. */
export interface AdaptedCall {
  readonly options: LanguageModelV4CallOptions
  /** What was left out of the call. */
  readonly warnings?: readonly SharedV4Warning[]
  /** Warnings that tell nothing new, since the call was made with that in mind. */
  readonly isExpected?: (warning: SharedV4Warning) => boolean
}

/**
 * A model whose calls are adapted before they are made: defaults are added, and what it does not
 * take is left out. What it warns of is told with the first answer and not again, since a model
 * does not change its mind from call to call.
 *
 * @param isOwn which thoughts of a conversation the model can read; the others are not sent. Default: all
 */
export function adaptedModel(
  model: LanguageModelV4,
  given: (options: LanguageModelV4CallOptions) => AdaptedCall,
  isOwn: IsOwnThought = () => true,
): LanguageModelV4 {
  const adapt = (options: LanguageModelV4CallOptions): AdaptedCall =>
    given(withOwnThoughts(options, isOwn))
  const told = new Set<string>()
  const untold = (call: AdaptedCall, own: readonly SharedV4Warning[]): SharedV4Warning[] =>
    [...(call.warnings ?? []), ...own].filter(
      (warning) => call.isExpected?.(warning) !== true && !told.has(JSON.stringify(warning)),
    )
  const markTold = (warnings: readonly SharedV4Warning[]): void => {
    for (const warning of warnings) told.add(JSON.stringify(warning))
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const call = adapt(options)
      const result = await withWait(model.doGenerate(call.options))
      const warnings = untold(call, result.warnings)
      markTold(warnings)
      return { ...result, warnings }
    },
    async doStream(options) {
      const call = adapt(options)
      const result = await withWait(model.doStream(call.options))
      let warnings: readonly SharedV4Warning[] = []
      const watched = mappedStream(result.stream, (part) => {
        if (part.type === 'stream-start') {
          const start = { ...part, warnings: untold(call, part.warnings) }
          warnings = start.warnings
          return start
        }
        // A stream that is cut is begun afresh, and its warnings are then told again.
        if (part.type === 'finish') markTold(warnings)
        return part
      })
      return { ...result, stream: watched }
    },
  }
}
