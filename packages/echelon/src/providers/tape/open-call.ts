import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Json, JsonObject } from '../../core/value/json.ts'
import { cleanedParts } from './cleaned-parts.ts'
import { toJson } from './json-form.ts'
import { type Asked, keyOf } from './request.ts'
import type { Cleaner } from './secrets.ts'
import type { TapeSink } from './tape-line.ts'

interface Place {
  readonly recording: TapeSink
  readonly clean: Cleaner
  /** The call's own signal; it aborts when the caller gives up. */
  readonly signal: AbortSignal | undefined
}

/**
 * A call that is being recorded. Writes whichever comes first, its answer, failure or abort, and
 * nothing after that.
 */
export class OpenCall {
  readonly #asked: Asked
  readonly #place: Place
  readonly #n: number
  #parts: Json[] | undefined
  #isOver = false

  constructor(asked: Asked, place: Place) {
    this.#asked = asked
    this.#place = place
    this.#n = place.recording.nextCall()
    if (place.signal?.aborted === true) this.#giveUp()
    else place.signal?.addEventListener('abort', this.#giveUp, { once: true })
  }

  answered(answer: LanguageModelV4GenerateResult): void {
    const { request: _, response, ...rest } = answer
    const { id, modelId, timestamp } = response ?? {}
    const kept = response === undefined ? rest : { ...rest, response: { id, modelId, timestamp } }
    this.#end({ type: 'answered', answer: this.#place.clean(toJson(kept)) })
  }

  failed(error: unknown): void {
    this.#end({ type: 'failed', error: this.#place.clean(toJson(error)), ...this.#streamed() })
  }

  /**
   * The same stream, recorded. The call ends when the stream ends, fails, or is canceled by its
   * reader.
   */
  watched(
    stream: ReadableStream<LanguageModelV4StreamPart>,
  ): ReadableStream<LanguageModelV4StreamPart> {
    const reader = stream.getReader()
    const parts: Json[] = (this.#parts = [])
    const end = (): void => this.#end({ type: 'streamed', ...this.#streamed() })
    return new ReadableStream<LanguageModelV4StreamPart>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read()
            if (!done) {
              parts.push(toJson(value))
              controller.enqueue(value)
              return
            }
            end()
            controller.close()
          } catch (error) {
            this.failed(error)
            controller.error(error)
          }
        },
        cancel: async (reason) => {
          end()
          await reader.cancel(reason)
        },
      },
      // No read-ahead: parts that the reader never received are not recorded.
      { highWaterMark: 0 },
    )
  }

  readonly #giveUp = (): void => this.#end({ type: 'given-up', ...this.#streamed() })

  #streamed(): JsonObject {
    return this.#parts === undefined ? {} : { parts: cleanedParts(this.#parts, this.#place.clean) }
  }

  #end(outcome: JsonObject): void {
    if (this.#isOver) return
    this.#isOver = true
    const { recording, signal } = this.#place
    signal?.removeEventListener('abort', this.#giveUp)
    const asked = this.#asked
    recording.write({ kind: 'call', n: this.#n, key: keyOf(asked), ...asked, outcome })
  }
}
