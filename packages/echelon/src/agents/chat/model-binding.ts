import { EchelonError } from '../../core/value/error.ts'
import { isRecord } from '../../core/value/json.ts'
import { type AnyLanguageModel, asLanguageModel } from '../../core/model/language-model.ts'
import type { BoundModel, NormalizeError, ProviderSettings } from '../../core/model/model.ts'
import { MAIN } from './chat-settings.ts'
import { isText } from './input/message-check.ts'

/** Port: resolves models by name. The registries of `echelon/providers` implement it. */
export interface ModelSource {
  /**
   * Contract: throws `EchelonError` UNKNOWN_MODEL, MISSING_KEY or MISSING_PACKAGE with what to do;
   * loads nothing before it is called.
   */
  resolve(name: string, settings?: Readonly<Record<string, ProviderSettings>>): Promise<BoundModel>
}

/** A model by provider, with settings for this use only. */
export interface ProviderChoice {
  /** The provider's key, such as `anthropic`. */
  readonly provider: string
  /** The model's id there, such as `claude-sonnet-4-5`. */
  readonly model: string
  readonly apiKey?: string
  /** The base URL of the provider. */
  readonly baseUrl?: string
  readonly options?: Omit<ProviderSettings, 'apiKey' | 'baseUrl'>
}

/**
 * A model: by name (`provider/model`, loaded at its first call), by provider, as a ready object, or
 * from any AI SDK package, whose price is unknown.
 */
export type ModelChoice = string | ProviderChoice | BoundModel | AnyLanguageModel

/** Everything that is needed to load a model by name. */
export interface ModelLoading {
  readonly source: ModelSource
  /** Base URLs and API keys, by provider key. */
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /** The error normalizer for a model object, by the provider name that it reports. */
  normalizerOf(provider: string): NormalizeError
}

interface Switch {
  readonly choice: ModelChoice
  readonly turn: number
  readonly onLoaded: () => void
}

const NONE: readonly BoundModel[] = []

/** Maximum number of former models to remember. */
const MOST_PLAYED = 16

/**
 * Holds the agent's current model, the only part of an agent that changes. All its runs read it before
 * each model call.
 */
export class ModelBinding {
  /** The models, which the runtime reads at each call. */
  readonly models: Readonly<Record<string, BoundModel>>
  readonly #loading: ModelLoading
  readonly #first: ModelChoice | undefined
  readonly #bound: Record<string, BoundModel> = {}
  /** Former models, the newest last: recorded runs may use them. */
  #played: readonly BoundModel[] = NONE
  #underWay: Promise<void> | undefined
  #beginning: Promise<BoundModel> | undefined
  #asked = 0
  #held = 0

  constructor(first: ModelChoice | undefined, loading: ModelLoading) {
    this.models = this.#bound
    this.#loading = loading
    this.#first = first
    const ready = first === undefined ? undefined : atHand(first, loading)
    if (ready !== undefined) this.#bound[MAIN] = ready
  }

  /** The current model; `undefined` before one is loaded. */
  get current(): BoundModel | undefined {
    return this.#bound[MAIN]
  }

  get isSwitching(): boolean {
    return this.#underWay !== undefined
  }

  /** Whether a model can be called at once. */
  get isReady(): boolean {
    return this.#underWay === undefined && this.#bound[MAIN] !== undefined
  }

  /** Settles when no switch is in progress. Never rejects. */
  async settled(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay
  }

  /**
   * Waits for switches in progress, and loads the first model if none is loaded yet.
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
    const loading = (this.#beginning ??= loadModel(this.#first, this.#loading))
    try {
      const loaded = await loading
      // A switch may have completed meanwhile.
      this.#bound[MAIN] ??= loaded
    } finally {
      this.#beginning = undefined
    }
  }

  /**
   * The models of a run resumed from its journal: the recorded one, until the next switch. A former
   * model of this agent keeps the base URL and key that it had.
   * @throws what its source throws when the model is no longer available
   */
  async asRecorded(name: string): Promise<Readonly<Record<string, BoundModel>>> {
    const recorded = await this.#named(name)
    const held = this.#held
    const now = (): BoundModel => (this.#held === held ? recorded : (this.#bound[MAIN] ?? recorded))
    return {
      get [MAIN]() {
        return now()
      },
    }
  }

  async #named(name: string): Promise<BoundModel> {
    const first = this.#first
    if (this.current === undefined && nameOf(first) === name) await this.prepare()
    if (this.current?.id === name) return this.current
    const played = this.#played.find(({ id }) => id === name)
    if (played !== undefined) return played
    const ready = first === undefined ? undefined : atHand(first, this.#loading)
    if (ready?.id === name) return ready
    const choice = first !== undefined && nameOf(first) === name ? first : name
    return loadModel(choice, this.#loading)
  }

  /**
   * Switches from the next model call on. Of concurrent switches, the last one requested wins.
   * @param onLoaded called before the model is used
   * @throws EchelonError when the model cannot be loaded; the current model then stays
   */
  switchTo(choice: ModelChoice, onLoaded: () => void): Promise<void> {
    const turn = ++this.#asked
    const switching = this.#load({ choice, turn, onLoaded })
    this.#underWay = this.#over(this.#underWay, switching, turn)
    return switching
  }

  /** Settles when all switches have; only the newest clears the switch in progress. */
  async #over(
    before: Promise<void> = Promise.resolve(),
    switching: Promise<void>,
    turn: number,
  ): Promise<void> {
    await Promise.allSettled([before, switching])
    if (turn === this.#asked) this.#underWay = undefined
  }

  async #load({ choice, turn, onLoaded }: Switch): Promise<void> {
    const loaded = await loadModel(choice, this.#loading)
    if (turn < this.#held) return
    this.#held = turn
    const before = this.#bound[MAIN]
    if (before !== undefined) {
      const others = this.#played.filter(({ id }) => id !== before.id)
      this.#played = [...others, before].slice(-MOST_PLAYED)
    }
    onLoaded()
    this.#bound[MAIN] = loaded
  }
}

/**
 * Checks a model choice as far as possible without loading anything.
 * @throws EchelonError INVALID_CONFIG for a value that is not a model, INVALID_DEFINITION for one with
 * an outdated interface
 */
export function checkModel(choice: ModelChoice): void {
  if (typeof choice === 'string' || 'price' in choice || isProviderChoice(choice)) return
  if (!('doGenerate' in choice)) throw noModel()
  asLanguageModel(choice)
}

async function loadModel(choice: ModelChoice, loading: ModelLoading): Promise<BoundModel> {
  const { source, providers } = loading
  if (typeof choice === 'string') return source.resolve(choice, providers)
  const ready = atHand(choice, loading)
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

/**
 * Converts a model that needs no loading.
 * @throws EchelonError INVALID_DEFINITION for a model with an outdated interface
 */
function atHand(choice: ModelChoice, loading: ModelLoading): BoundModel | undefined {
  if (typeof choice === 'string') return undefined
  if (!isObject(choice)) throw noModel()
  if ('price' in choice) return choice
  if (!('doGenerate' in choice)) return undefined
  return {
    id: `${choice.provider}/${choice.modelId}`,
    model: asLanguageModel(choice),
    price: unpriced,
    // An Echelon agent as a model, from `asLanguageModel`.
    ...(choice.provider === 'echelon' && { sumsCalls: true }),
    normalizeError: loading.normalizerOf(choice.provider),
  }
}

/** An unknown price never counts as free. */
const unpriced = (): null => null

const isProviderChoice = (choice: object): choice is ProviderChoice =>
  'provider' in choice && isText(choice.provider) && 'model' in choice && isText(choice.model)

/** JavaScript callers may pass any value. */
const isObject = (choice: unknown): boolean => isRecord(choice)

const noModel = (): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    'this is not a model; give its name, such as openai/gpt-5-nano, { provider, model }, or a model of the AI SDK',
  )

/** The name in the journal; `undefined` for a model without a name yet. */
function nameOf(choice: ModelChoice | undefined): string | undefined {
  if (choice === undefined || typeof choice === 'string') return choice
  return isProviderChoice(choice) ? `${choice.provider}/${choice.model}` : undefined
}
