import { seededRandom } from '../packages/echelon/src/core/value/random.ts'

/** Set by the long tests: all cases are tried, not a share of them. */
export const IS_WHOLE: boolean = process.env['CASES'] === 'whole'

/** Another seed draws another share; without one it is the same each time. */
const SEED = process.env['SEED']

/** Whether the case at a place is tried: in the long tests each is, else one in so many. */
export const isChosen = (place: number, oneIn: number): boolean =>
  IS_WHOLE || (place + Number(SEED ?? 0)) % oneIn === 0

/** At most so many of the cases, which the long tests try all. */
export const share = <Case>(cases: readonly Case[], most: number): readonly Case[] =>
  IS_WHOLE ? cases : spread(cases, most)

/** At most so many of a list, at even distances. A seed says how far in the first one is. */
export function spread<Case>(cases: readonly Case[], most: number): readonly Case[] {
  if (cases.length <= most) return cases
  const distance = cases.length / most
  const offset = SEED === undefined ? 0 : seededRandom(Number(SEED))() * distance
  const places = Array.from({ length: most }, (_, nth) => Math.floor(nth * distance + offset))
  return places.flatMap((place) => cases.slice(place, place + 1))
}
