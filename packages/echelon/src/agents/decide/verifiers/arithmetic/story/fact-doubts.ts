import type { Chunk } from './chunk.ts'
import type { Clause, Place } from './clause.ts'
import type { Facts } from './facts.ts'
import { recounted } from './recounted.ts'

/**
 * Why understood facts may still not give the answer: a price may hold in one place, a rate for one kind, or an
 * amount may be part of another. `chunks` are those of the story's sentences, the question last. Undefined without
 * such a doubt.
 */
export function factDoubt(
  facts: Facts,
  chunks: readonly (readonly Chunk[])[],
  asked: Clause,
): string | undefined {
  const isLeft = asked.chunks.some(({ kind }) => kind === 'left')
  const rules = facts.rates.length + facts.relations.length
  return (
    placeOfPrice(facts, asked.where) ??
    otherKind(chunks.slice(0, -1).flat(), asked.chunks) ??
    (rules > 0 && mixesKinds(chunks.flat())
      ? 'a rate or a comparison may hold for one kind alone'
      : undefined) ??
    (facts.gaps.length > 0 ? undefined : recounted(facts, isLeft))
  )
}

/** A price may hold only for some people or in one place; a gift comes from a person. */
function placeOfPrice(facts: Facts, asked: readonly Place[]): string | undefined {
  const places = [...facts.places, ...asked]
  const isOwner = places.find(({ head }) => facts.owners.has(head))
  if (isOwner !== undefined) return `what goes between ${isOwner.head} and another is not followed`
  if (facts.relations.length > 0 && places.length > 0) {
    return 'a comparison may hold in one place, or at one time, alone'
  }
  if (!facts.rates.some(({ top }) => top === '$')) return undefined
  // A price says nothing about purchases elsewhere: "how much on ties", "how much at night".
  if (asked.length > 0) return 'it asks for a part of what is paid'
  const differ = new Set(places.map(({ phrase }) => phrase)).size > 1
  const isForSome = places.some(({ link }) => link === 'for' || link === 'with')
  return differ || isForSome ? 'a price may hold for some, or in one place' : undefined
}

/** Words of prices and sums, whose adjective identifies what is asked: "the new price". */
const MEASURES = new Set('price cost money change population speed salary bill tip'.split(' '))

/** "A box holds 12 eggs. How many broken eggs …": the story says nothing of broken ones. */
function otherKind(told: readonly Chunk[], asked: readonly Chunk[]): string | undefined {
  const narrow = asked.find(({ head, mods }) => {
    const own = mods.filter((mod) => mod !== 'more')
    const same = told.filter((one) => one.head === head && head !== '' && !MEASURES.has(head))
    return own.length > 0 && same.some((one) => one.mods.length === 0)
  })
  return narrow && `nothing is told of "${[...narrow.mods, narrow.head].join(' ')}" apart`
}

/** "5 more brown apples than Ann, who has 12 apples": some amounts state a kind and some do not. */
function mixesKinds(chunks: readonly Chunk[]): boolean {
  const things = chunks.filter(({ head }) => head !== '' && head !== '$' && !MEASURES.has(head))
  return [...Map.groupBy(things, ({ head }) => head).values()].some((same) => {
    const told = same.map(({ mods }) => mods.some((mod) => mod !== 'more'))
    return told.includes(true) && told.includes(false)
  })
}
