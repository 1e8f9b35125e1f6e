import { DEFAULT_SETTINGS, type DecideSettings } from './settings.ts'

type Models = DecideSettings['models']

/** The ladder of models, cheapest first. */
export const ladderOf = ({ ladder, small_model, big_model }: Models): readonly string[] =>
  ladder ?? [small_model, big_model]

/** The first model of the ladder. */
export const firstModelOf = ({ ladder, small_model }: Models): string => ladder?.[0] ?? small_model

/** Models that need no key or network, and read arithmetic, dates and the sample stock. */
const OFFLINE = { small_model: 'offline/small', big_model: 'offline/big' } as const

/** The models of a run, and why they differ from the documented defaults if none were named. */
export interface ChosenModels {
  readonly models: Models
  readonly because: string | null
}

/**
 * Chooses the models of a run from the named ones. If none are named, the default pair needs a key for openai;
 * without one the offline pair is used, so that a first run succeeds. A single named model is the whole ladder: a
 * task is never sent to a service that was not named.
 */
export function chooseModels(named: Partial<Models>, hasOpenaiKey: boolean): ChosenModels {
  const { small_model, big_model, ladder = null } = named
  const models = { ...DEFAULT_SETTINGS.models, ...named, ladder }
  if (ladder !== null) return { models, because: null }
  const [first, second] = [small_model, big_model].filter((name) => name !== undefined)
  if (first === undefined) {
    if (hasOpenaiKey) return { models, because: null }
    return { models: { ...models, ...OFFLINE }, because: 'no OPENAI_API_KEY is set' }
  }
  if (second !== undefined) return { models, because: null }
  return { models: { ...models, ladder: [first] }, because: 'only one model is named' }
}
