import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { SpokenApi } from './models.ts'
import { isNotServed, notServed } from './not-served.ts'

/**
 * Through which of OpenAI's interfaces a model is spoken to. Where that is a guess there is a spare
 * one, which is taken when the server turns out not to serve the first.
 */
export class ApiInUse {
  #tried: readonly SpokenApi[]
  #spare: SpokenApi | undefined
  #current: SpokenApi

  constructor(first: SpokenApi, spare?: SpokenApi) {
    this.#current = first
    this.#tried = [first]
    this.#spare = spare
  }

  get current(): SpokenApi {
    return this.#current
  }

  /** All that was spoken so far. */
  get tried(): readonly SpokenApi[] {
    return this.#tried
  }

  /** The server serves this one, so that it is no guess any more. */
  confirm(api: SpokenApi): void {
    if (api === this.#current) this.#spare = undefined
  }

  /** The server does not serve this one: what to speak from now on, if there is something left. */
  moveOn(from: SpokenApi): SpokenApi | undefined {
    // Of two calls at the same time the second one finds the move made.
    if (from !== this.#current) return this.#current
    if (this.#spare === undefined) return undefined
    this.#current = this.#spare
    this.#tried = [...this.#tried, this.#current]
    this.#spare = undefined
    return this.#current
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
      const next = inUse.moveOn(api)
      throw notServed(error, { modelId, api, next, guessed: inUse.tried })
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
