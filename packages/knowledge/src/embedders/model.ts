import { APICallError, type EmbeddingModelV3, type EmbeddingModelV4 } from '@ai-sdk/provider'
import { pause, EchelonError } from 'echelon/internal/value'
import { type Embedder, DEFAULT_RETRY, waitBeforeRetry } from 'echelon/internal/model'
import type { Clock, Problem } from 'echelon/runtime'
import type { RetryPolicy } from 'echelon/middleware'
import { batchesOf } from './batches.ts'

/** An embedding model from any AI SDK package. */
export type AnyEmbeddingModel = EmbeddingModelV4 | EmbeddingModelV3

export interface ModelEmbedderOptions {
  /**
   * Requested from the model if it supports a choice. Default: the model's own, found by embedding one
   * word.
   */
  readonly dimensions?: number
  /** Forms the id of the embedder, together with its dimensions. Default: provider and model name. */
  readonly name?: string
  /** Cosine below which two texts are unrelated. Default: unknown. */
  readonly floor?: number
  /** Retries of a failed call. Default: two, after 0.5 s and 1 s. */
  readonly retry?: RetryPolicy
  /** Timeout of one call in milliseconds; default 60,000. `Infinity` disables it. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * Wraps an AI SDK model as an embedder. Texts are sent in batches of the size the model accepts. A
 * retryable failure is retried, after the wait the provider asks for.
 * @throws EchelonError SERVER_UNREACHABLE when the model returns no vectors
 */
export async function embedderOf(
  model: AnyEmbeddingModel,
  clock: Clock,
  options: ModelEmbedderOptions = {},
): Promise<Embedder> {
  const source = new ModelVectors(model, clock, options)
  const dimensions = options.dimensions ?? (await source.measuredDimensions(options.signal))
  const { name = `${model.provider}/${model.modelId}`, floor } = options
  return {
    id: `${name}/${dimensions}`,
    dimensions,
    ...(floor !== undefined && { floor }),
    embed: (texts, signal = new AbortController().signal) =>
      source.vectors(texts, dimensions, signal),
  }
}

/** Used when a model does not state its batch size. */
const DEFAULT_BATCH = 100

/** Embedding is fast: a model silent for a minute is down. */
const TIMEOUT_MS = 60_000

class ModelVectors {
  readonly #model: AnyEmbeddingModel
  readonly #clock: Clock
  readonly #retry: RetryPolicy
  readonly #dimensions: number | undefined
  readonly #timeoutMs: number

  constructor(model: AnyEmbeddingModel, clock: Clock, options: ModelEmbedderOptions) {
    this.#model = model
    this.#clock = clock
    this.#retry = options.retry ?? DEFAULT_RETRY
    this.#dimensions = options.dimensions
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  }

  async measuredDimensions(signal: AbortSignal = new AbortController().signal): Promise<number> {
    const [vector = []] = await this.#batch(['dimensions'], signal)
    if (vector.length > 0) return vector.length
    throw this.#unusable('an empty vector')
  }

  async vectors(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const most = (await this.#model.maxEmbeddingsPerCall) ?? DEFAULT_BATCH
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
        const { embeddings } = await this.#withTimeout(signal, (callSignal) =>
          this.#model.doEmbed({
            values: [...texts],
            abortSignal: callSignal,
            ...(this.#dimensions !== undefined && { dimensions: this.#dimensions }),
          }),
        )
        if (embeddings.length === texts.length) return embeddings
        throw this.#unusable(`${embeddings.length} vectors for ${texts.length} texts`)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof EchelonError) throw error
        // Random, so that many callers do not retry at once. No run is replayed by this number.
        const wait = waitBeforeRetry(this.#retry, problemOf(error, attempts), Math.random())
        if (wait === undefined) throw this.#failed(error)
        await pause(this.#clock, wait, signal)
      }
    }
  }

  /** @throws EchelonError SERVER_UNREACHABLE for a call that times out, even if it ignores its signal */
  async #withTimeout<Value>(
    signal: AbortSignal,
    call: (callSignal: AbortSignal) => PromiseLike<Value>,
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
    if (!Number.isFinite(length) || length === 0) throw this.#unusable('a vector of length 0')
    return Float32Array.from(vector, (value) => value / length)
  }

  get #name(): string {
    return `${this.#model.provider} ${this.#model.modelId}`
  }

  #failed(cause: unknown): EchelonError {
    const why = cause instanceof Error ? cause.message : String(cause)
    return new EchelonError(
      'SERVER_UNREACHABLE',
      `${this.#name} could not embed: ${why}; check its key and base URL`,
      { cause },
    )
  }

  #unusable(what: string): EchelonError {
    return new EchelonError(
      'SERVER_UNREACHABLE',
      `${this.#name} returned ${what}; check that it is an embedding model`,
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
