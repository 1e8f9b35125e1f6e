import { type Found, type Cursor, named, skip, take } from './cursor.ts'

/** Which occurrence of a recurring day or span. */
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
export function relation(cursor: Cursor): Found<Relation> | undefined {
  const start = skip(cursor, 'the')
  const second = take(start, 'this')
  const refined = second && word(second)
  return refined && refined.value !== 'this' ? refined : word(start)
}
