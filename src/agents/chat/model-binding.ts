import type { LanguageModelV4 } from '@ai-sdk/provider'
import { EchelonError } from '../../core/error.ts'
import type { BoundModel, ProviderSettings } from '../../core/model.ts'
import { MAIN } from './chat-definition.ts'
import { isText } from './message-check.ts'

/** Port: where models come from by name. The registries of `echelon/providers` are such. */
export interface ModelSource {
  /**
   * Contract: throws `EchelonError` UNKNOWN_MODEL, MISSING_KEY or MISSING_PACKAGE with what to do;
   * loads nothing before it is called.
   */
  resolve(name: string, settings?: Readonly<Record<string, ProviderSettings>>): Promise<BoundModel>
}

/** A model by its provider, with what only this use of it needs. */
export interface ProviderChoice {
  /** The provider's key, such as `anthropic`. */
  readonly provider: string
  /** The model's id there, such as `claude-sonnet-4-5`. */
  readonly model: string
  readonly apiKey?: string
  /** Where the provider's server is found. */
  readonly baseUrl?: string
  readonly options?: Omit<ProviderSettings, 'apiKey' | 'baseUrl'>
}

/**
 * A model: by name (`provider/model`, loaded when it is first called), by provider, ready to be
 * called, or as any package of the AI SDK gives it; the price of that one is unknown.
 */
export type ModelChoice = string | ProviderChoice | BoundModel | LanguageModelV4

/** How a model is loaded that is known by name. */
export interface ModelLoading {
  readonly source: ModelSource
  /** Where providers find their servers and keys, by the provider's key. */
  readonly providers: Readonly<Record<string, ProviderSettings>>
}

/**
 * Which model plays the agent's part at the moment. It is the one thing of an agent that changes;
 * all its runs look at it before each model call.
 */
export class ModelBinding {
  /** What the runtime reads anew at each call. */
  readonly models: Readonly<Record<string, BoundModel>>
  readonly #loading: ModelLoading
  readonly #first: ModelChoice | undefined
  readonly #bound: Record<string, BoundModel> = {}
  #underWay: Promise<unknown> | undefined
  #asked = 0
  #held = 0

  constructor(first: ModelChoice | undefined, loading: ModelLoading) {
    this.models = this.#bound
    this.#loading = loading
    this.#first = first
    const ready = first === undefined ? undefined : atHand(first)
    if (ready !== undefined) this.#bound[MAIN] = ready
  }

  /** Counts the switches that have come to hold. */
  get switches(): number {
    return this.#held
  }

  /** The model that plays now; nothing before one was loaded. */
  get current(): BoundModel | undefined {
    return this.#bound[MAIN]
  }

  /** Whether a model can be called at once. */
  get isReady(): boolean {
    return this.#underWay === undefined && this.#bound[MAIN] !== undefined
  }

  /** Settles when no switch is under way any more. Never rejects. */
  async settled(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay
  }

  /**
   * Waits for switches under way, and loads the first model if none was loaded yet.
   * @throws EchelonError INVALID_CONFIG when the agent was given no model, and what its source throws
   */
  async prepare(): Promise<void> {
    await this.settled()
    if (this.#bound[MAIN] !== undefined) return
    if (this.#first === undefined) {
      throw new EchelonError(
        'INVALID_CONFIG',
        'the agent has no model; name one, such as openai/gpt-5-nano, or offline/small without a key',
      )
    }
    const loaded = await this.load(this.#first)
    this.#bound[MAIN] ??= loaded
  }

  /** Loads a model and changes nothing. */
  load(choice: ModelChoice): Promise<BoundModel> {
    return loadModel(choice, this.#loading)
  }

  /**
   * From the next model call on. Of several that are under way the one asked for last holds.
   * @throws EchelonError when the model cannot be loaded; all stays as it was then
   */
  switchTo(choice: ModelChoice): Promise<void> {
    const turn = ++this.#asked
    const switching = this.#load(choice, turn)
    const underWay = Promise.allSettled([this.#underWay, switching]).then(() => {
      if (this.#underWay === underWay) this.#underWay = undefined
    })
    this.#underWay = underWay
    return switching
  }

  async #load(choice: ModelChoice, turn: number): Promise<void> {
    const loaded = await this.load(choice)
    if (turn < this.#held) return
    this.#held = turn
    this.#bound[MAIN] = loaded
  }
}

async function loadModel(choice: ModelChoice, loading: ModelLoading): Promise<BoundModel> {
  const { source, providers } = loading
  if (typeof choice === 'string') return source.resolve(choice, providers)
  const ready = atHand(choice)
  if (ready !== undefined) return ready
  if (!isProviderChoice(choice)) throw noModel()
  const { provider, model, apiKey, baseUrl, options } = choice
  const settings = {
    ...providers[provider],
    ...options,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  }
  return source.resolve(`${provider}/${model}`, { ...providers, [provider]: settings })
}

/** A model that needs no loading. */
function atHand(choice: ModelChoice): BoundModel | undefined {
  if (typeof choice === 'string') return undefined
  if ('price' in choice) return choice
  if (!('doGenerate' in choice)) return undefined
  if (choice.specificationVersion === 'v4') {
    return { id: `${choice.provider}/${choice.modelId}`, model: choice, price: unpriced }
  }
  throw new EchelonError(
    'INVALID_CONFIG',
    `${nameOf(choice)} is a model of an older specification; take a package of the AI SDK that gives v4, or name it as provider/model`,
  )
}

/** What nobody knows the price of is never taken to be free. */
const unpriced = (): null => null

const isProviderChoice = (choice: object): choice is ProviderChoice =>
  'provider' in choice && isText(choice.provider) && 'model' in choice && isText(choice.model)

const noModel = (): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    'this is no model; give its name, such as openai/gpt-5-nano, { provider, model }, or a model of the AI SDK',
  )

const nameOf = (choice: object): string =>
  'modelId' in choice && typeof choice.modelId === 'string' ? choice.modelId : 'this'
