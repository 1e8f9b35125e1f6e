import { DEFAULT_SETTINGS, type DecideSettings } from './settings.ts'

type Models = DecideSettings['models']

/** The models that a task is promoted through, cheapest first. */
export const ladderOf = ({ ladder, small_model, big_model }: Models): readonly string[] =>
  ladder ?? [small_model, big_model]

/** The model that a task begins with. */
export const firstModelOf = ({ ladder, small_model }: Models): string => ladder?.[0] ?? small_model

/** Models that need no key and no network, and read arithmetic, dates and the sample stock. */
const OFFLINE = { small_model: 'offline/small', big_model: 'offline/big' } as const

/** The models of a run, and why they are not the documented defaults where nobody named them. */
export interface ChosenModels {
  readonly models: Models
  readonly because: string | null
}

/**
 * The models of a run, from those that somebody named. Where nobody named any, the default pair
 * needs a key for openai; without one the offline pair answers, so that a newcomer succeeds. One
 * model that is named alone is the whole ladder: a task is never sent to a service that nobody named.
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
