import { type Found, type Place, named, skip, take } from './place.ts'

/** Which one of those that come round. */
export type Relation = 'this' | 'next' | 'last' | 'coming'

const RELATIONS: ReadonlyMap<string, Relation> = new Map([
  ['this', 'this'],
  ['current', 'this'],
  ['next', 'next'],
  ['last', 'last'],
  ['past', 'last'],
  ['previous', 'last'],
  ['coming', 'coming'],
  ['upcoming', 'coming'],
] as const)

const word = named(RELATIONS)

/** `next`, `this`, `this past`, `the upcoming`. */
export function relation(place: Place): Found<Relation> | undefined {
  const start = skip(place, 'the')
  const second = take(start, 'this')
  const refined = second && word(second)
  return refined && refined.value !== 'this' ? refined : word(start)
}
