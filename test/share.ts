import { seededRandom } from '../packages/echelon/src/core/value/random.ts'

/** Set by the long tests: all cases are tried, not a share of them. */
export const IS_WHOLE: boolean = process.env['CASES'] === 'whole'

const today = (): string => new Date().toISOString().slice(0, 10).replaceAll('-', '')
/** Another seed selects another share; without one it is always the same. */
export const SEED: number = Number(process.env['SEED'] ?? today())

/** Whether the case at an index is tried: each one in the long tests, else one in so many. */
export const isChosen = (place: number, oneIn: number): boolean =>
  IS_WHOLE || (place + SEED) % oneIn === 0

/** At most so many of the cases; the long tests try all. */
export const share = <Case>(cases: readonly Case[], most: number): readonly Case[] =>
  IS_WHOLE ? cases : spread(cases, most)

/** At most so many of a list, evenly spaced. The seed determines the first index. */
export function spread<Case>(cases: readonly Case[], most: number): readonly Case[] {
  if (cases.length <= most) return cases
  const distance = cases.length / most
  const offset = seededRandom(SEED)() * distance
  const places = Array.from({ length: most }, (_, nth) => Math.floor(nth * distance + offset))
  return places.flatMap((place) => cases.slice(place, place + 1))
}
