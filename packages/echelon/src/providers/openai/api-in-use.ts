import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { SpokenApi } from './models.ts'
import { isNotServed, notServed } from './not-served.ts'

/** What is known of a server: the interface that answered last, whichever model it was for. */
export interface ServerKnown {
  served?: SpokenApi
}

/** What is spoken after an interface was not served. */
interface Move {
  /** Nothing where there is nothing left. */
  readonly next: SpokenApi | undefined
  /** All that was guessed and is not served. */
  readonly tried: readonly SpokenApi[]
}

/**
 * Through which of OpenAI's interfaces a model is spoken to. Where that is a guess there is a spare
 * one, which is tried when the server seems not to serve the first, and stays when it answers. Where
 * it does not answer either, the next call begins anew: what was not found was perhaps a proxy's
 * page of the moment. A model at a server that has answered another one begins as that one did.
 */
export class ApiInUse {
  readonly #guesses: readonly [first: SpokenApi, spare?: SpokenApi]
  readonly #server: ServerKnown
  #confirmed: SpokenApi | undefined
  /** The guess that was not served last, while the other one has not answered. */
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

  /** The server serves this one, so that it is no guess any more. */
  confirm(api: SpokenApi): void {
    this.#confirmed ??= api
    this.#server.served = api
  }

  /** The server does not serve this one: what to speak from now on. */
  moveOn(from: SpokenApi): Move {
    // Of two calls at the same time one may find out first what is served.
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
 * A model that is spoken to through the interface in use. The call that finds out that the server
 * does not serve it fails and is worth another try, which then goes through the other one: so each
 * request on the wire is an attempt that the run counts.
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
