import type { Amount, Facts } from './facts.ts'
import { verbOf } from './lexicon.ts'

/** Deeds that add to an owner's things. Painting five cars adds none. */
const BRINGS = new Set(['get', 'receive', 'find', 'pick', 'collect', 'win', 'gather', 'catch'])
/** Deeds after which a thing may still be there. */
const MAY_STAY = new Set(['use', 'drop', 'throw', 'break', 'drink'])

/** Things won and lost without being owned. */
const PLAYED = new Set(['game', 'match', 'race', 'round', 'set', 'point'])

/**
 * Why amounts may not be added or subtracted: one may be part of the other or of another kind, or the deed may
 * neither bring nor take anything. `left` says that the question asks what is left.
 */
export function recounted({ amounts, rates }: Facts, left: boolean): string | undefined {
  for (const [at, one] of amounts.entries()) {
    for (const other of amounts.slice(at + 1)) {
      if (one.head !== other.head || one.owner !== other.owner) continue
      const isNamed = amounts.some((state) => state.flow === 'have' && isSameKind(state, other))
      // "3 boxes of 5 pens. She buys 2 boxes": the contents of these are not stated.
      const isFilled = rates.some(({ top, bottom }) => bottom === one.head && top !== '$')
      if (isFilled && one.flow !== other.flow) return 'what the later ones hold is not said'
      const problem = isNamed && !isSameKind(one, other) ? undefined : between(one, other, left)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

const isSameKind = (one: Amount, other: Amount): boolean =>
  one.head === other.head && one.owner === other.owner && one.mods.join() === other.mods.join()

function between(one: Amount, other: Amount, left: boolean): string | undefined {
  if (one.flow === 'have' && (other.flow === 'in' || other.flow === 'out')) {
    return changes(one, other, left)
  }
  const isOwned = one.owner !== undefined && one.flow === 'have' && other.flow === 'have'
  if (isOwned && one.mods.join() === other.mods.join()) return 'it tells of one amount at two times'
  const isSameDeed = one.verb === other.verb && one.flow === other.flow
  const [kind, otherKind] = [one.mods.join(' '), other.mods.join(' ')]
  const differ = kind !== otherKind && (kind === '' || otherKind === '')
  const isInside = one.where.length !== other.where.length
  return isSameDeed && (differ || isInside) ? 'one number may be a part of another' : undefined
}

function changes(state: Amount, { verb, mods, flow }: Amount, left: boolean): string | undefined {
  const kind = mods.filter((mod) => mod !== 'more').join(' ')
  if (state.mods.join(' ') !== kind && kind !== '') return 'one number is of another kind'
  if (PLAYED.has(state.head)) return `a ${state.head} is not kept`
  const deed = verbOf(verb)?.deed ?? ''
  const brings = deed === 'buy' || deed === 'come' || deed === 'give' || BRINGS.has(verb)
  if (flow === 'in' && !brings) return `"${verb}" may bring nothing`
  return MAY_STAY.has(verb) && !left ? `what one may "${verb}" may still be there` : undefined
}
