import type { Chunk } from './chunk.ts'
import type { Amount, Facts, Rate, Relation } from './facts.ts'
import { isKindOf, UNITS } from './lexicon.ts'
import { constant, minus, over, plus, rest, type Term, times } from './term.ts'

/** What is sought: so many of `head`, of one owner or of all. */
export interface Holding {
  readonly head: string
  readonly mods?: readonly string[]
  readonly owner?: string
  /** What is bought goes from the money: the answer is what remains. */
  readonly spent?: true
  /** A price stands for one piece where no pieces are counted. */
  readonly single?: true
}

/**
 * The amount that one owner holds, or all together: what is stated, by way of relations ("5 more
 * than Ann"), or by conversion through rates. Undefined where it does not follow.
 */
export function held(facts: Facts, sought: Holding): Term | undefined {
  const { owner } = sought
  if (facts.relations.length > 0) {
    return owner === undefined ? heldByAll(facts, sought) : related(facts, sought, new Set())
  }
  const mine = facts.amounts.filter((amount) => owner === undefined || belongs(amount, owner))
  return total({ ...facts, amounts: mine }, sought)
}

function belongs(amount: Amount, owner: string): boolean {
  return amount.owner === undefined || amount.owner === owner
}

function heldByAll(facts: Facts, sought: Holding): Term | undefined {
  const each = [...facts.owners].map((owner) => related(facts, { ...sought, owner }, new Set()))
  return each.reduce((sum, one) => sum && one && plus(sum, one))
}

function related(facts: Facts, sought: Holding, seen: Set<Relation>): Term | undefined {
  const { owner } = sought
  const own = facts.amounts.filter((amount) => amount.owner === owner)
  if (own.length > 0) return total({ ...facts, amounts: own }, sought)
  for (const relation of facts.relations.filter(
    (one) => !seen.has(one) && one.head === sought.head,
  )) {
    const next = new Set([...seen, relation])
    if (relation.owner === owner) {
      const other = related(facts, { ...sought, owner: relation.other }, next)
      if (other !== undefined) return relation.apply(other)
    }
    if (relation.other === owner) {
      const one = related(facts, { ...sought, owner: relation.owner }, next)
      if (one !== undefined) return relation.undo(one)
    }
  }
  return undefined
}

/** What all amounts come to in the unit sought, each converted where it is another thing. */
export function total(facts: Facts, sought: Holding): Term | undefined {
  const spent = sought.spent === true && sought.head === '$'
  const straight = facts.amounts.filter((amount) => counts(amount, sought))
  if (overlaps(straight)) return undefined
  const groups = groupsOf(facts.amounts.filter((amount) => !counts(amount, sought)))
  const bought = groups.filter((group) => spent && group.some(({ verb }) => verb === 'buy'))
  const come = converted(
    facts,
    groups.filter((group) => !bought.includes(group)),
    sought,
  )
  const go = converted(facts, bought, sought)
  const sum = fold(straight, come)
  return single(
    facts,
    sought,
    sum && go ? minus(sum, go) : (sum ?? (spent ? undefined : go)),
  )
}

function converted(
  facts: Facts,
  groups: readonly (readonly Amount[])[],
  sought: Holding,
): Term | undefined {
  const terms = groups.flatMap((group) => convertGroup(facts, group, sought) ?? [])
  return terms.length === 0 ? undefined : terms.reduce(plus)
}

/** "A book costs $12": the price of one, where no books are counted. */
function single(facts: Facts, sought: Holding, sum: Term | undefined): Term | undefined {
  if (sought.head !== '$' || !(sought.single === true || sought.spent === true)) return sum
  const lone = facts.rates.filter(
    ({ top, bottom }) => top === '$' && !facts.amounts.some(({ head }) => head === bottom),
  )
  const prices = lone
    .map(({ term }) => term)
    .reduce<Term | undefined>((a, b) => (a ? plus(a, b) : b), undefined)
  if (prices === undefined) return sum
  if (sum === undefined) return sought.spent === true ? undefined : prices
  return sought.spent === true ? minus(sum, prices) : plus(sum, prices)
}

function counts(amount: Amount, { head, mods = [] }: Holding): boolean {
  return isKindOf(amount.head, head) && mods.every((mod) => amount.mods.includes(mod))
}

/** "12 marbles" and "5 red marbles" of one owner may be the same marbles. */
function overlaps(amounts: readonly Amount[]): boolean {
  const states = amounts.filter(({ flow }) => flow === 'have')
  return states.some((one, i) =>
    states
      .slice(i + 1)
      .some(
        (two) =>
          one.owner === two.owner &&
          one.head === two.head &&
          sameMods(one, two) &&
          sameScene(one, two),
      ),
  )
}

function sameMods(one: Amount, two: Amount): boolean {
  return one.mods.length === 0 || two.mods.length === 0 || one.mods.join() === two.mods.join()
}

function sameScene(one: Amount, two: Amount): boolean {
  return one.where.join() === two.where.join()
}

/**
 * In the order of the text, `start` first where only losses are stated; a share goes from what is
 * there by then.
 */
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

function groupsOf(amounts: readonly Amount[]): readonly (readonly Amount[])[] {
  const groups = Map.groupBy(amounts, ({ head, mods }) => [...mods, head].join(' '))
  return [...groups.values()]
}

function convertGroup(facts: Facts, group: readonly Amount[], sought: Holding): Term | undefined {
  const [first] = group
  const term = fold(group)
  if (first === undefined || term === undefined) return undefined
  return convert(facts, { head: first.head, mods: first.mods, term }, sought.head)
}

interface Counted {
  readonly head: string
  readonly mods: readonly string[]
  readonly term: Term
}

/**
 * So many of one thing as so many of another, through the text's rates and the units of time. Where
 * several chains use equally many rates of the text, none is taken.
 */
export function convert(facts: Facts, from: Counted, to: string): Term | undefined {
  const clock = UNITS.map(([bottom, top, count]): Rate => ({
    top,
    bottom,
    mods: [],
    term: constant(count),
  }))
  const found = chains(from, to, [...facts.rates, ...clock])
  const most = Math.max(...found.map(({ said }) => said))
  const [only, ...others] = found.filter(({ said }) => said === most)
  return others.length === 0 ? only?.term : undefined
}

interface Chain {
  readonly term: Term
  /** How many rates of the text went in. */
  readonly said: number
}

function chains(from: Counted, to: string, rates: readonly Rate[]): readonly Chain[] {
  if (isKindOf(from.head, to)) return [{ term: from.term, said: 0 }]
  return rates.flatMap((rate, at) => {
    const others = rates.toSpliced(at, 1)
    const said = rate.term.uses.size > 0 ? 1 : 0
    return steps(from, rate).flatMap((next) =>
      chains(next, to, others).map((chain) => ({ term: chain.term, said: chain.said + said })),
    )
  })
}

function steps(from: Counted, rate: Rate): readonly Counted[] {
  const fits = rate.bottom === from.head && sameKind(rate.mods, from.mods)
  if (fits) return [{ head: rate.top, mods: [], term: times(from.term, rate.term) }]
  if (rate.top !== from.head) return []
  return [{ head: rate.bottom, mods: rate.mods, term: over(from.term, rate.term) }]
}

/** Prices of "adult tickets" and "child tickets" are two. */
function sameKind(rate: readonly string[], counted: readonly string[]): boolean {
  return rate.every((mod) => counted.includes(mod))
}

/**
 * "A spider has 8 legs" speaks of one spider, or of all. Where other spiders are counted, it is a
 * rate; else an amount.
 */
export function bothWays(facts: Facts, question: readonly Chunk[]): Facts {
  const counted = [
    ...facts.amounts.map(({ head }) => head),
    ...question.filter(({ kind }) => kind !== 'thing').map(({ head }) => head),
  ]
  const general = facts.amounts.filter(({ kind }) => kind !== undefined && counted.includes(kind))
  const rates = general.map(({ head, kind = '', term }): Rate => ({
    top: head,
    bottom: kind,
    mods: [],
    term,
  }))
  return {
    ...facts,
    amounts: facts.amounts.filter((amount) => !general.includes(amount)),
    rates: [...facts.rates, ...rates],
  }
}
