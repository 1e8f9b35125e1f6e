import { APICallError, type EmbeddingModelV3, type EmbeddingModelV4 } from '@ai-sdk/provider'
import { pause } from 'echelon/internal/value'
import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import type { Clock } from 'echelon/runtime'
import type { Problem } from 'echelon/runtime'
import { DEFAULT_RETRY, waitBeforeRetry } from 'echelon/internal/model'
import type { RetryPolicy } from 'echelon/middleware'
import { batchesOf } from './batches.ts'

/** An embedding model of any package of the AI SDK. */
export type AnyEmbeddingModel = EmbeddingModelV4 | EmbeddingModelV3

export interface ModelEmbedderOptions {
  /**
   * Asked of the model, where it has a choice. Default: its own, which is learned by embedding one
   * word.
   */
  readonly dimensions?: number
  /** With its dimensions the id of the embedder. Default: the provider and the model. */
  readonly name?: string
  /** Cosine below which two texts have nothing to do with each other. Default: unknown. */
  readonly floor?: number
  /** How often and how patiently a failed call is tried again. Default: twice, after 0.5 s and 1 s. */
  readonly retry?: RetryPolicy
  /** The longest that one call may take, in milliseconds; default 60,000. `Infinity` is no limit. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * An embedder out of a model of the AI SDK. Texts go in batches of what the model takes; a call that
 * fails and may succeed later is tried again, as long as the provider asks to wait.
 * @throws EchelonError SERVER_UNREACHABLE where the model gives no vectors
 */
export async function embedderOf(
  model: AnyEmbeddingModel,
  clock: Clock,
  options: ModelEmbedderOptions = {},
): Promise<Embedder> {
  const source = new ModelVectors(model, clock, options)
  const dimensions = options.dimensions ?? (await source.learned(options.signal))
  const { name = `${model.provider}/${model.modelId}`, floor } = options
  return {
    id: `${name}/${dimensions}`,
    dimensions,
    ...(floor !== undefined && { floor }),
    embed: (texts, signal = new AbortController().signal) =>
      source.vectors(texts, dimensions, signal),
  }
}

/** Where a model does not say how many texts it takes at once. */
const USUAL_BATCH = 100

/** An embedding model does not think: one that is silent for a minute is not there. */
const TIMEOUT_MS = 60_000

class ModelVectors {
  readonly #model: AnyEmbeddingModel
  readonly #clock: Clock
  readonly #retry: RetryPolicy
  readonly #asked: number | undefined
  readonly #timeoutMs: number

  constructor(model: AnyEmbeddingModel, clock: Clock, options: ModelEmbedderOptions) {
    this.#model = model
    this.#clock = clock
    this.#retry = options.retry ?? DEFAULT_RETRY
    this.#asked = options.dimensions
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  }

  async learned(signal: AbortSignal = new AbortController().signal): Promise<number> {
    const [vector = []] = await this.#batch(['dimensions'], signal)
    if (vector.length > 0) return vector.length
    throw this.#unusable('an empty vector')
  }

  async vectors(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const most = (await this.#model.maxEmbeddingsPerCall) ?? USUAL_BATCH
    const vectors: Float32Array[] = []
    for (const batch of batchesOf(texts, most)) {
      for (const vector of await this.#batch(batch, signal)) {
        if (vector.length !== dimensions) {
          throw this.#unusable(`${vector.length} dimensions instead of ${dimensions}`)
        }
        vectors.push(this.#unit(vector))
      }
    }
    return vectors
  }

  async #batch(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]> {
    for (let attempts = 1; ; attempts++) {
      signal.throwIfAborted()
      try {
        const { embeddings } = await this.#inTime(signal, (inTime) =>
          this.#model.doEmbed({
            values: [...texts],
            abortSignal: inTime,
            ...(this.#asked !== undefined && { dimensions: this.#asked }),
          }),
        )
        if (embeddings.length === texts.length) return embeddings
        throw this.#unusable(`${embeddings.length} vectors for ${texts.length} texts`)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof EchelonError) throw error
        // Never the same wait for many callers, and nothing that a run is replayed by.
        const wait = waitBeforeRetry(this.#retry, problemOf(error, attempts), Math.random())
        if (wait === undefined) throw this.#failed(error)
        await pause(this.#clock, wait, signal)
      }
    }
  }

  /** @throws EchelonError SERVER_UNREACHABLE for a call that takes too long, also where it ignores its signal */
  async #inTime<Value>(
    signal: AbortSignal,
    call: (inTime: AbortSignal) => PromiseLike<Value>,
  ): Promise<Value> {
    const late = new AbortController()
    const { promise, reject } = Promise.withResolvers<never>()
    const ms = this.#timeoutMs
    const forget =
      ms === Infinity
        ? undefined
        : this.#clock.after(ms, () => {
            reject(this.#failed(`no answer within ${ms / 1000} s, the limit of timeoutMs`))
            late.abort()
          })
    try {
      return await Promise.race([call(AbortSignal.any([signal, late.signal])), promise])
    } finally {
      forget?.()
    }
  }

  #unit(vector: readonly number[]): Float32Array {
    const length = Math.hypot(...vector)
    if (!Number.isFinite(length) || length === 0) throw this.#unusable('a vector of no length')
    return Float32Array.from(vector, (value) => value / length)
  }

  get #name(): string {
    return `${this.#model.provider} ${this.#model.modelId}`
  }

  #failed(cause: unknown): EchelonError {
    const why = cause instanceof Error ? cause.message : String(cause)
    return new EchelonError(
      'SERVER_UNREACHABLE',
      `${this.#name} embedded nothing: ${why}; see that its key and address are right`,
      { cause },
    )
  }

  #unusable(what: string): EchelonError {
    return new EchelonError(
      'SERVER_UNREACHABLE',
      `${this.#name} gave ${what}; see that it is an embedding model`,
    )
  }
}

function problemOf(error: unknown, attempts: number): Problem {
  const message = error instanceof Error ? error.message : String(error)
  if (!APICallError.isInstance(error)) {
    return { code: 'unknown', message, retryable: false, attempts }
  }
  const seconds = Number(error.responseHeaders?.['retry-after'] ?? NaN)
  return {
    code: error.isRetryable ? 'unavailable' : 'invalid-request',
    message,
    retryable: error.isRetryable,
    attempts,
    ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
  }
}
