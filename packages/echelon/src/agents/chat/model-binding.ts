import { EchelonError } from '../../core/value/error.ts'
import { isRecord } from '../../core/value/json.ts'
import { type AnyLanguageModel, asLanguageModel } from '../../core/model/language-model.ts'
import type { BoundModel, NormalizeError, ProviderSettings } from '../../core/model/model.ts'
import { MAIN } from './chat-settings.ts'
import { isText } from './input/message-check.ts'

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
export type ModelChoice = string | ProviderChoice | BoundModel | AnyLanguageModel

/** How a model is loaded that is known by name. */
export interface ModelLoading {
  readonly source: ModelSource
  /** Where providers find their servers and keys, by the provider's key. */
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /** What the errors of a model mean that comes without a provider, by what it calls its provider. */
  normalizerOf(provider: string): NormalizeError
}

interface Switch {
  readonly choice: ModelChoice
  readonly turn: number
  readonly onLoaded: () => void
}

const NONE: readonly BoundModel[] = []

/** So many models that no longer play are remembered. */
const MOST_PLAYED = 16

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
  /** Those that were switched away from, the newest last: runs on record may have them. */
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

  /** The model that plays now; nothing before one was loaded. */
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
    const loading = (this.#beginning ??= loadModel(this.#first, this.#loading))
    try {
      const loaded = await loading
      // A switch may have come to hold meanwhile.
      this.#bound[MAIN] ??= loaded
    } finally {
      this.#beginning = undefined
    }
  }

  /**
   * The models of a run that goes on from its journal: the one on record, until the next switch. One
   * that played here before has the address and the key that it had then.
   * @throws what its source throws when the model is not to be had any more
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
   * From the next model call on. Of several that are under way the one asked for last holds.
   * @param onLoaded called before the model plays
   * @throws EchelonError when the model cannot be loaded; all stays as it was then
   */
  switchTo(choice: ModelChoice, onLoaded: () => void): Promise<void> {
    const turn = ++this.#asked
    const switching = this.#load({ choice, turn, onLoaded })
    this.#underWay = this.#over(this.#underWay, switching, turn)
    return switching
  }

  /** Settles when all of them have; only the newest leaves nothing under way. */
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
 * Whether a choice can be one, as far as that shows before anything is loaded.
 * @throws EchelonError INVALID_CONFIG for what is no model, INVALID_DEFINITION for one that is too old
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
 * A model that needs no loading.
 * @throws EchelonError INVALID_DEFINITION for a model of an interface that is too old
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
    // Ours, as a model: `asLanguageModel` of an agent.
    ...(choice.provider === 'echelon' && { sumsCalls: true }),
    normalizeError: loading.normalizerOf(choice.provider),
  }
}

/** What nobody knows the price of is never taken to be free. */
const unpriced = (): null => null

const isProviderChoice = (choice: object): choice is ProviderChoice =>
  'provider' in choice && isText(choice.provider) && 'model' in choice && isText(choice.model)

/** What comes from JavaScript may be anything. */
const isObject = (choice: unknown): boolean => isRecord(choice)

const noModel = (): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    'this is no model; give its name, such as openai/gpt-5-nano, { provider, model }, or a model of the AI SDK',
  )

/** As a journal has it; nothing for a model that bears no name yet. */
function nameOf(choice: ModelChoice | undefined): string | undefined {
  if (choice === undefined || typeof choice === 'string') return choice
  return isProviderChoice(choice) ? `${choice.provider}/${choice.model}` : undefined
}
