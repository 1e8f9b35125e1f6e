import type { TurnEnd } from '../agents/served-agent.ts'

/** The price of a call in US dollars; `null` if it is not known. */
export type PriceOf = (
  model: string,
  usage: { readonly input: number; readonly output: number },
) => Promise<number | null>

/** The cost of a run on several models, and its cost on the biggest one alone. */
export interface Saving {
  readonly saved: number
  readonly otherwise: number
}

/** Explains to people how savings are estimated. */
export const SAVING_METHOD =
  'For each run of an agent with several models, the tokens of the model that answered are priced as if the biggest model had used them, and the actual cost of the run is subtracted. If the biggest model answered, its own calls would have been enough, so the cost of the smaller models counts as a loss. Runs of one model are not compared. Runs with an unknown price are left out.'

interface Compared {
  /** Cheapest first. */
  readonly models: readonly string[]
  readonly end: Pick<TurnEnd, 'rungs' | 'cost'>
}

/**
 * Computes how much a run saved compared with always asking the biggest model.
 * @returns `undefined` for a run without a bigger model to compare with; `null` if a price is not known
 */
export async function savingOf(
  { models, end }: Compared,
  priceOf: PriceOf,
): Promise<Saving | null | undefined> {
  const biggest = models.at(-1)
  const answered = end.rungs.at(-1)
  if (biggest === undefined || models.length < 2 || answered === undefined) return undefined
  if (end.cost === null) return null
  const otherwise = answered.model === biggest ? answered.cost : await priceOf(biggest, answered)
  return otherwise === null ? null : { saved: otherwise - end.cost, otherwise }
}
