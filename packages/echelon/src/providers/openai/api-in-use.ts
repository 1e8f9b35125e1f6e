import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { SpokenApi } from './models.ts'
import { isNotServed, notServed } from './not-served.ts'

/** The interface of a server that answered last, for any model. */
export interface ServerKnown {
  served?: SpokenApi
}

/** The decision after a server did not serve an interface. */
interface Move {
  /** Undefined if there is nothing left to try. */
  readonly next: SpokenApi | undefined
  /** All guesses that the server does not serve. */
  readonly tried: readonly SpokenApi[]
}

/**
 * Selects the OpenAI interface for a model. If the interface is a guess, the spare one is tried
 * when the server appears not to serve the first, and is kept once it answers. If neither is
 * served, the next call starts over, since the failure may have been a temporary proxy page. A new
 * model at a known server starts with the interface that last answered there.
 */
export class ApiInUse {
  readonly #guesses: readonly [first: SpokenApi, spare?: SpokenApi]
  readonly #server: ServerKnown
  #confirmed: SpokenApi | undefined
  /** The guess that failed last, while the other one has not answered yet. */
  #absent: SpokenApi | undefined

  constructor(guesses: readonly [first: SpokenApi, spare?: SpokenApi], server: ServerKnown = {}) {
    this.#guesses = guesses
    this.#server = server
  }

  get current(): SpokenApi {
    if (this.#confirmed !== undefined) return this.#confirmed
    const [first] = this.#guesses
    if (this.#absent !== undefined) return this.#otherThan(this.#absent) ?? first
    const { served } = this.#server
    return served !== undefined && this.#guesses.includes(served) ? served : first
  }

  /** Records that the server serves this interface. */
  confirm(api: SpokenApi): void {
    this.#confirmed ??= api
    this.#server.served = api
  }

  /** Records that the server does not serve this interface and selects the next one. */
  moveOn(from: SpokenApi): Move {
    // A concurrent call may have settled the interface first.
    const isSettled = this.#confirmed !== undefined
    if (isSettled)
      return { next: this.#confirmed === from ? undefined : this.#confirmed, tried: [] }
    const other = this.#otherThan(from)
    if (other !== undefined && this.#absent !== other) {
      this.#absent = from
      return { next: other, tried: [from] }
    }
    this.#absent = undefined
    return { next: undefined, tried: other === undefined ? [] : [other, from] }
  }

  #otherThan(api: SpokenApi): SpokenApi | undefined {
    return this.#guesses.find((guess) => guess !== api)
  }
}

/**
 * A model that uses the interface in use. A call that discovers an unserved interface fails as
 * retryable, and the retry uses the other interface. Each request on the wire is thus an attempt
 * that the run counts.
 */
export function throughApiInUse(
  inUse: ApiInUse,
  modelOf: (api: SpokenApi) => LanguageModelV4,
): LanguageModelV4 {
  const { provider, modelId, supportedUrls } = modelOf(inUse.current)
  const call = async <Answer>(
    ask: (model: LanguageModelV4) => PromiseLike<Answer>,
  ): Promise<Answer> => {
    const api = inUse.current
    try {
      const answer = await ask(modelOf(api))
      inUse.confirm(api)
      return answer
    } catch (error) {
      if (!isNotServed(error)) throw error
      throw notServed(error, { modelId, api, ...inUse.moveOn(api) })
    }
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: async (options) => await call((model) => model.doGenerate(options)),
    doStream: async (options) => await call((model) => model.doStream(options)),
  }
}
