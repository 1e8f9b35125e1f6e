import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { JsonObject } from '../../core/value/json.ts'
import { askedOf } from './request.ts'
import type { ModelTape } from './tape.ts'
import type { ModelLine, Outcome } from './tape-line.ts'
import { unrecorded } from './unrecorded.ts'

/** A model that answers only from a tape. */
export function replayedModel(
  { id, provider, modelId }: ModelLine,
  tape: ModelTape,
  settings: JsonObject,
): LanguageModelV4 {
  const { clean } = tape
  const recorded = (stream: boolean, options: LanguageModelV4CallOptions): Outcome => {
    // An already aborted call uses up no answer.
    options.abortSignal?.throwIfAborted()
    const asked = askedOf({ model: id, stream, settings }, options, clean)
    const call = tape.take(asked)
    if (call === undefined) throw unrecorded(asked, tape)
    return call.outcome
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const outcome = await Promise.resolve(recorded(false, options))
      if (outcome.type === 'answered') return outcome.answer
      throw failureOf(outcome, id)
    },
    async doStream(options) {
      const outcome = await Promise.resolve(recorded(true, options))
      if (outcome.type === 'answered' || outcome.parts === undefined) throw failureOf(outcome, id)
      const { type, parts } = outcome
      const ending = type === 'streamed' ? null : { failure: failureOf(outcome, id) }
      return { stream: ReadableStream.from(given(parts, ending)) }
    },
  }
}

async function* given(
  parts: readonly LanguageModelV4StreamPart[],
  ending: { readonly failure: unknown } | null,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield* parts
  if (ending !== null) throw ending.failure
}

/** The caller of an aborted call saw a timeout, so the replay fails with the same. */
const failureOf = (outcome: Outcome, model: string): unknown =>
  outcome.type === 'failed'
    ? outcome.error
    : new DOMException(`${model} did not answer in time`, 'TimeoutError')
