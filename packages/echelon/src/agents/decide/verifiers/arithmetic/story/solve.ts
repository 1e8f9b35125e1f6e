import { type Chunk, ONE } from './chunk.ts'
import type { Amount, Facts, Rate, Relation } from './facts.ts'
import { isKindOf, TIMES, UNITS, verbOf } from './lexicon.ts'
import { constant, minus, over, plus, rest, type Term, times } from '../../english/term.ts'

/** The sought amount of `head`, of one owner or of all. Money is called `$`. */
export interface Holding {
  readonly head: string
  readonly mods?: readonly string[]
  readonly owner?: string
  /** Purchases reduce the money: the answer is the remainder. */
  readonly spent?: true
  /** Money counts as what it buys, but only for a buyer. */
  readonly buys?: true
}

/**
 * The amount that one owner, or all together, hold: stated, through relations ("5 more than Ann"), or converted
 * through rates. Undefined if it does not follow.
 */
export function held(facts: Facts, sought: Holding): Term | undefined {
  const { owner } = sought
  if (facts.relations.length > 0) {
    return owner === undefined ? heldByAll(facts, sought) : related(facts, sought, new Set())
  }
  if (owner === undefined) return total(facts, sought)
  const mine = facts.amounts.filter((amount) => belongs(facts, amount, owner))
  return total({ ...facts, amounts: mine }, sought)
}

/** An amount without a giver or taker, such as "two broke", belongs to the only owner. */
function belongs({ owners }: Facts, { owner, flow }: Amount, whose: string): boolean {
  return owner === whose || (owner === undefined && flow !== 'have' && owners.size === 1)
}

function heldByAll(facts: Facts, sought: Holding): Term | undefined {
  const each = [...facts.owners].map((owner) => related(facts, { ...sought, owner }, new Set()))
  return each.reduce((sum, one) => sum && one && plus(sum, one))
}

/** A relation holds at the time it is stated, so nothing else may come or go. */
function related(facts: Facts, sought: Holding, seen: ReadonlySet<Relation>): Term | undefined {
  const { owner } = sought
  const own = facts.amounts.filter((amount) => amount.owner === owner)
  if (own.length > 1) return undefined
  if (own.length === 1) return total({ ...facts, amounts: own }, sought)
  const open = facts.relations.filter((one) => !seen.has(one) && one.head === sought.head)
  for (const relation of open) {
    const forward = relation.owner === owner
    if (!forward && relation.other !== owner) continue
    const next = forward ? relation.other : relation.owner
    const term = related(facts, { ...sought, owner: next }, new Set([...seen, relation]))
    if (term !== undefined) return forward ? relation.apply(term) : relation.undo(term)
  }
  return undefined
}

/** The sum of all amounts in the sought unit; other units are converted. */
export function total(facts: Facts, sought: Holding): Term | undefined {
  if (sought.head === '$') return money(facts, sought)
  // Money that lies somewhere is not stated to be for spending.
  if (facts.amounts.some(({ head, owner }) => head === '$' && owner === undefined)) return undefined
  const straight = facts.amounts.filter((amount) => counts(amount, sought))
  // Things put somewhere may be part of what is there, or all of it.
  if (straight.some(({ verb }) => verbOf(verb)?.deed === 'put')) return undefined
  if (overlaps(straight) || mixes(straight) || recounts(straight)) return undefined
  const others = facts.amounts.filter(
    ({ head }) => !isKindOf(head, sought.head) && (head !== '$' || sought.buys),
  )
  const come = converted(facts, others, sought.head)
  // A box's capacity is not its content, once things are counted by themselves.
  const capacity = straight.length > 0 && facts.rates.some(({ verb }) => verb === 'hold')
  return come !== undefined && capacity ? undefined : fold(straight, come)
}

/** Money as stated, plus sales and work, less purchases and prices of single pieces. */
function money(facts: Facts, { spent }: Holding): Term | undefined {
  const ready = facts.amounts.filter(({ head }) => head === '$')
  const unowned = ready.filter(({ owner }) => owner === undefined)
  if (mixes(ready) || recounts(ready) || (unowned.length > 0 && unowned.length < ready.length))
    return undefined
  const deals = facts.amounts
    .filter(({ head }) => head !== '$')
    .map((amount): Amount => ({ ...amount, flow: 'in' }))
  const earned = deals.filter(({ verb, head }) => verb === 'sell' || TIMES.includes(head))
  const come = fold(ready, converted(facts, earned, '$'))
  if (spent !== true) return come
  const bought = deals.filter(({ verb }) => verb === 'buy')
  const go = bought.length > 0 ? converted(facts, bought, '$') : lonePrice(facts)
  return come && go ? minus(come, go) : come
}

/** The amount paid for everything bought; for one piece if no pieces are counted. */
export function spending(facts: Facts): Term | undefined {
  const spent = facts.amounts
    .filter(({ verb, head, flow }) => verb === 'buy' || (head === '$' && flow === 'out'))
    .map((amount): Amount => ({ ...amount, flow: 'in' }))
  if (spent.length === 0) return lonePrice(facts)
  const paid = spent.filter(({ head }) => head === '$')
  const bought = spent.filter(({ head }) => head !== '$')
  return fold(paid, converted(facts, bought, '$'))
}

/** "A book costs $12": the price of one, if it is the only price. */
export function lonePrice(facts: Facts): Term | undefined {
  const [price, ...others] = facts.rates
  const counted = facts.amounts.some(({ head }) => head === price?.bottom)
  return price?.top === '$' && others.length === 0 && !counted ? price.term : undefined
}

function counts(amount: Amount, { head, mods = [] }: Holding): boolean {
  return isKindOf(amount.head, head) && mods.every((mod) => amount.mods.includes(mod))
}

/** "12 marbles" and "5 red marbles" of one owner may be the same marbles. */
function overlaps(amounts: readonly Amount[]): boolean {
  const states = amounts.filter(({ flow }) => flow === 'have')
  return states.some((one, at) => states.slice(at + 1).some((two) => mayBeSame(one, two)))
}

function mayBeSame(one: Amount, two: Amount): boolean {
  const kinds = [one, two].map(({ head, mods }) => [...mods, head].join(' '))
  const told = one.mods.length > 0 && two.mods.length > 0 && kinds[0] !== kinds[1]
  // Those in the kitchen may be at the party.
  const apart = one.owner !== undefined && places(one) !== places(two)
  return one.owner === two.owner && one.head === two.head && !told && !apart
}

function places({ where }: Amount): string {
  return where.map((phrase) => phrase.split(' ').at(-1)).join()
}

/**
 * Amounts of several owners add up only if all have, or all got, theirs; transfers between owners stay theirs.
 * Things without an owner may go to a person; no other mix is allowed.
 */
function mixes(amounts: readonly Amount[]): boolean {
  const owned = amounts.filter(({ owner }) => owner !== undefined)
  const unowned = amounts.some(({ owner, flow }) => owner === undefined && flow === 'have')
  const several = new Set(owned.map(({ owner }) => owner)).size > 1
  if (unowned && owned.some(({ flow }) => flow !== 'out')) return true
  return several && !sameFlow(owned) && !eachHas(owned)
}

/** "He found 3. He has 8": the 3 may be among the 8. */
function recounts(amounts: readonly Amount[]): boolean {
  return amounts.some(
    ({ owner, flow }, at) =>
      flow === 'have' &&
      amounts.slice(0, at).some((one) => one.owner === owner && one.flow !== 'have'),
  )
}

function sameFlow(amounts: readonly Amount[]): boolean {
  return new Set(amounts.map(({ flow }) => flow)).size === 1 && amounts[0]?.flow !== 'out'
}

/** Each owner's first amount is a state; gains and losses count from it. */
function eachHas(amounts: readonly Amount[]): boolean {
  const owners = Map.groupBy(amounts, ({ owner }) => owner)
  return [...owners.values()].every(([first]) => first?.flow === 'have')
}

/** In text order, starting with `start` if only losses are stated; a share is taken of the amount at that point. */
function fold(amounts: readonly Amount[], start?: Term): Term | undefined {
  const late = start !== undefined && amounts[0]?.flow !== 'out'
  let sum = late ? undefined : start
  for (const { term, flow, share } of amounts) {
    if (flow === 'need' || (sum === undefined && flow === 'out')) return undefined
    if (share && start !== undefined) return undefined
    if (sum === undefined) sum = term
    else if (share) sum = times(sum, rest(term, 'off'))
    else sum = flow === 'out' ? minus(sum, term) : plus(sum, term)
  }
  if (!late) return sum
  return sum === undefined ? start : plus(sum, start)
}

/** The sum of the amounts that rates convert to the sought unit. */
function converted(facts: Facts, amounts: readonly Amount[], to: string): Term | undefined {
  const groups = Map.groupBy(amounts, ({ head, mods }) => [...mods, head].join(' '))
  const terms = [...groups.values()].flatMap((group) => {
    const [first] = group
    const term = mixes(group) ? undefined : fold(group)
    return (first && term && convert(facts, { ...first, term }, to)) ?? []
  })
  return terms.length === 0 ? undefined : terms.reduce(plus)
}

/** So many of a thing. */
export interface Counted {
  readonly head: string
  readonly mods: readonly string[]
  readonly term: Term
}

/**
 * Converts an amount of one thing to another through the text's rates and the units of time. The chain that uses
 * most rates of the text counts; if two use equally many, there is no result.
 */
export function convert(facts: Facts, from: Counted, to: string): Term | undefined {
  const clock = UNITS.map(([bottom, top, n]): Rate => ({
    top,
    bottom,
    mods: [],
    term: constant(n),
    verb: '',
  }))
  const found = chains(from, to, [...facts.rates, ...clock])
  const most = Math.max(...found.map(({ said }) => said))
  const [only, ...others] = found.filter(({ said }) => said === most)
  return others.length === 0 ? only?.term : undefined
}

/** The value of a quantity in the question, when the text holds rates and no amounts. */
export function given(
  facts: Facts,
  { kind, head, mods, term = ONE }: Chunk,
  to: string,
): Term | undefined {
  if (facts.amounts.length > 0) return undefined
  return convert(facts, { head: kind === 'money' ? '$' : head, mods, term }, to)
}

interface Chain {
  readonly term: Term
  /** Number of the text's rates that were used. */
  readonly said: number
}

function chains(from: Counted, to: string, rates: readonly Rate[]): readonly Chain[] {
  if (isKindOf(from.head, to)) return [{ term: from.term, said: 0 }]
  return rates.flatMap((rate, at) => {
    const next = step(from, rate)
    if (next === undefined) return []
    const said = rate.term.uses.size > 0 ? 1 : 0
    const onward = chains(next, to, rates.toSpliced(at, 1))
    return onward.map((chain) => ({ term: chain.term, said: chain.said + said }))
  })
}

/** "Adult tickets" and "child tickets" have two prices. */
function step(from: Counted, rate: Rate): Counted | undefined {
  if (rate.bottom === from.head && rate.mods.every((mod) => from.mods.includes(mod))) {
    return { head: rate.top, mods: [], term: times(from.term, rate.term) }
  }
  if (rate.top !== from.head) return undefined
  return { head: rate.bottom, mods: rate.mods, term: over(from.term, rate.term) }
}

/** Deeds of containers. */
const HOLDS = new Set(['hold', 'contain'])
/** Parts of which each thing of a kind has equally many. */
const PARTS = new Set(
  'leg wheel arm wing eye ear finger toe tentacle side corner edge face string petal paw hoof horn tail head'.split(
    ' ',
  ),
)

/** "A spider has 8 legs" describes one spider, or all. It is a rate if other spiders are counted, else an amount. */
export function bothWays(facts: Facts, question: readonly Chunk[]): Facts {
  const asked = question.filter(({ kind }) => kind !== 'thing')
  const counted = [...facts.amounts, ...asked].map(({ head }) => head)
  const isGeneral = ({ kind, head, verb }: Amount): boolean =>
    kind !== undefined &&
    counted.includes(kind) &&
    // A bus's capacity is not its passengers.
    (PARTS.has(head) || (HOLDS.has(verb) && head !== 'person'))
  const rates = facts.amounts.filter(isGeneral).map(({ head, kind = '', term, verb }): Rate => ({
    top: head,
    bottom: kind,
    mods: [],
    term,
    verb,
  }))
  return {
    ...facts,
    amounts: facts.amounts.filter((amount) => !isGeneral(amount)),
    rates: [...facts.rates, ...rates],
  }
}
