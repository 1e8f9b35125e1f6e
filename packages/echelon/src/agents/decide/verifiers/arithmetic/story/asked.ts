import { type Chunk, ONE } from './chunk.ts'
import type { Clause } from './clause.ts'
import { type Amount, type Facts, ownerOf, SOMEBODY } from './facts.ts'
import { LENGTHS, TIMES, verbOf } from './lexicon.ts'
import { match } from '../../english/pattern.ts'
import { change, cost, earned, price } from './asked-money.ts'
import { bothWays, convert, given, held, type Holding, total } from './solve.ts'
import { minus, over, type Term, times } from '../../english/term.ts'

type Named = Readonly<Partial<Record<string, Chunk>>>
type Rule = readonly [pattern: string, solve: (facts: Facts, found: Named) => Term | undefined]

/** Every question form that is read, with its solver. The first that gives an answer counts. */
const RULES: readonly Rule[] = [
  // Amounts, present or left.
  ['how-many|how-much t:thing? owner:thing have left:left', left],
  ['how-many|how-much t:thing be left:left', left],
  ['how-much t:thing owner:thing gain', change],
  ['how-much t:thing owner:thing gain', earned],
  ['how-many|how-much t:thing owner:thing have total?', holding],
  ['how-many t:thing be total?', holding],
  ['how-many t:thing owner:thing verb:gain|lose|buy|sell|do|give|earn total?', byVerb],
  ['how-old|how-long be owner:thing', measured],
  ['how-many t:thing verb:be|do|have what:thing', partOf],
  ['what be t:thing', population],
  ['how-many|how-much t:thing a:thing and b:thing have|do|gain total?', together],
  ['how-many|how-much t:thing a:thing , b:thing ,? and c:thing have|do|gain total?', together],
  // Comparisons.
  ['how-many more t:thing owner:thing have|do|gain than other:thing', difference],
  ['how-many fewer t:thing other:thing have|do|gain than owner:thing', difference],
  ['how-many more t:thing than u:thing be', kinds],
  ['how-many fewer u:thing than t:thing be', kinds],
  ['how-many|how-much more t:thing owner:thing need', lacking],
  // Groups and rates.
  ['how-many t:thing g:each have|gain', perGroup],
  ['how-many t:thing be g:each', perGroup],
  ['how-many t:thing be in|on|inside n:number', ofGiven],
  ['how-many t:thing n:number have', ofGiven],
  ['how-many t:thing owner:thing gain|buy|sell|do|earn|need|put', byConversion],
  ['how-many t:thing owner:thing do|gain|sell|lose|put|buy in|for n:number|one', ofGiven],
  ['how-many t:thing owner:thing do|gain n:number|one', ofGiven],
  ['how-many t:thing owner:thing take thing? to do|gain n:number', ofGiven],
  ['how-many t:thing owner:thing buy with n:money', ofGiven],
  ['how-far owner:thing do', (facts) => inUnits(facts, LENGTHS)],
  ['how-far owner:thing do in|for n:number', (facts, { n }) => inUnits(facts, LENGTHS, n)],
  ['how-long owner:thing take to do n:number', (facts, { n }) => inUnits(facts, TIMES, n)],
  ['what be s:thing g:each?', speed],
  // Money.
  ['how-much|what n:number cost total?', cost],
  ['how-much|what n:number and m:number cost total?', cost],
  ['how-much item:thing|one cost total?', price],
  ['what be item:thing total? t:thing?', price],
  ['how-much thing? owner:thing pay total?', cost],
  ['how-much t:thing? owner:thing earn total?', earned],
  ['how-much t:thing? owner:thing earn in|for n:number|one', earned],
]

/** The term that answers a question from the facts, or undefined. */
export function answer(facts: Facts, question: Clause): Term | undefined {
  if (facts.gaps.length > 0) return fillGap(facts, question)
  if (!sameScene(facts, question)) return undefined
  for (const [pattern, solve] of RULES) {
    const found = match(pattern, question.chunks)
    if (found === undefined || !sameOwner(facts, found)) continue
    const term = solve(bothWays(facts, question.chunks), found)
    if (term !== undefined) return whole(term, found['t'])
  }
  return undefined
}

/** "How many pages on Monday?" must not count Tuesday's. */
function sameScene(facts: Facts, question: Clause): boolean {
  const nouns = new Set([
    ...facts.amounts.flatMap(({ head, owner = '' }) => [head, owner]),
    ...facts.rates.flatMap(({ top, bottom }) => [top, bottom]),
  ])
  return question.where.every(({ phrase }) => {
    const away = facts.amounts.filter(({ where }) => !where.some((one) => agree(one, phrase)))
    return away.every(arrives) || (away.length === facts.amounts.length && nouns.has(phrase))
  })
}

/** "The basket" may be "the red basket". */
function agree(one: string, two: string): boolean {
  return ` ${one}`.endsWith(` ${two}`) || ` ${two}`.endsWith(` ${one}`)
}

/** People who join or leave do so at the place of the others. */
function arrives({ verb }: Amount): boolean {
  return ['come', 'leave'].includes(verbOf(verb)?.deed ?? '')
}

/** Nothing is known about a person whom the text does not name, nor about one worker from another. */
function sameOwner(facts: Facts, { owner, other }: Named): boolean {
  const workers = new Set(facts.rates.flatMap(({ who }) => who ?? []))
  return [owner, other].every((chunk) => {
    const name = ownerOf(facts, chunk)
    if (name === SOMEBODY || workers.size > 1) return false
    return (
      name === undefined || (facts.owners.has(name) && (workers.size === 0 || workers.has(name)))
    )
  })
}

const PAID = ['money', 'change', 'price', 'cost', 'speed']

/** Things are counted in whole numbers; measures are not. */
function whole(term: Term, thing: Chunk | undefined): Term | undefined {
  // A started day or week may count as whole: 110 pages at 20 a day take 5.5 days, or 6.
  const units = ['second', 'minute', 'hour', ...LENGTHS, ...PAID]
  const isMeasure = thing === undefined || units.includes(thing.head)
  return isMeasure || Math.abs(term.value - Math.round(term.value)) < 1e-9 ? term : undefined
}

function whose(facts: Facts, { owner, t }: Named, unit?: string): Holding {
  const name = ownerOf(facts, owner)
  const head = unit ?? (t === undefined || t.head === 'money' ? '$' : t.head)
  return { head, mods: t?.mods ?? [], ...(name === undefined ? {} : { owner: name }) }
}

function holding(facts: Facts, found: Named): Term | undefined {
  return held(facts, whose(facts, found))
}

/** The total of the named owners, if the text has no others. */
function together(facts: Facts, { t, a, b, c }: Named): Term | undefined {
  const named = new Set([a, b, c].flatMap((chunk) => ownerOf(facts, chunk) ?? []))
  const all = named.size === facts.owners.size && named.isSubsetOf(facts.owners)
  return all && t ? held(facts, whose(facts, { t })) : undefined
}

/** "Left" makes sense only if something was taken away. */
function left(facts: Facts, found: Named): Term | undefined {
  const sought = whose(facts, found)
  const goes = facts.amounts.some(({ flow }) => flow === 'out')
  const buys = sought.head === '$' && facts.amounts.some(({ verb }) => verb === 'buy')
  return goes || buys ? held(facts, { ...sought, spent: true }) : undefined
}

function byVerb(facts: Facts, found: Named): Term | undefined {
  const done = facts.amounts.filter(({ verb }) => verb === found['verb']?.head)
  const got = done.map((amount): Amount => ({ ...amount, flow: 'in' }))
  return held({ ...facts, amounts: got }, whose(facts, found))
}

/** "How old", "how long": in the only unit of the text. */
function measured(facts: Facts, found: Named): Term | undefined {
  const [unit, ...units] = new Set(facts.amounts.map(({ head }) => head))
  return unit === undefined || units.length > 0 ? undefined : held(facts, whose(facts, found, unit))
}

/** "He lost some, and now he has 51": the loss is the difference of two states. */
function fillGap(facts: Facts, question: Clause): Term | undefined {
  const found = match('how-many t:thing owner:thing verb:gain|lose|buy|sell|give', question.chunks)
  const { gaps, amounts } = facts
  const [gap, before, after] = [gaps[0], amounts[0], amounts[1]]
  if (!found || !gap || !before || !after || gaps.length + amounts.length !== 3) return undefined
  const states = [before, after].every(
    ({ flow, head }) => flow === 'have' && head === found['t']?.head,
  )
  if (
    !sameOwner(facts, found) ||
    !states ||
    before.owner !== after.owner ||
    gap.verb !== found['verb']?.head
  )
    return undefined
  return gap.flow === 'out' ? minus(before.term, after.term) : minus(after.term, before.term)
}

function partOf(facts: Facts, { t, verb, what }: Named): Term | undefined {
  const [part] = facts.parts
  const all = t && total(facts, { head: t.head })
  if (part === undefined || all === undefined) return undefined
  const said = part.words.join(' ') === [verb?.head, what?.head].join(' ')
  return said ? times(all, part.share) : undefined
}

function population(facts: Facts, { t }: Named): Term | undefined {
  return t?.head === 'population' ? total(facts, { head: 'person' }) : undefined
}

function difference(facts: Facts, found: Named): Term | undefined {
  const one = holding(facts, found)
  const two = holding(facts, { ...found, owner: found['other'] })
  return one && two && minus(one, two)
}

function kinds(facts: Facts, { t, u }: Named): Term | undefined {
  const one = t && total(facts, { head: t.head })
  const two = u && total(facts, { head: u.head })
  return one && two && minus(one, two)
}

function lacking(facts: Facts, found: Named): Term | undefined {
  const [goal, ...goals] = facts.amounts.filter(({ flow }) => flow === 'need')
  const has = facts.amounts.filter(({ flow }) => flow !== 'need')
  const now = held({ ...facts, amounts: has }, whose(facts, found))
  const same = goals.length === 0 && goal?.owner === has[0]?.owner && goal?.head === has[0]?.head
  return goal && now && same ? minus(goal.term, now) : undefined
}

/** The number per group: stated, or the whole divided by the number of groups. */
function perGroup(facts: Facts, { t, g }: Named): Term | undefined {
  if (t === undefined || g === undefined) return undefined
  const stated = convert(facts, { head: g.head, mods: [], term: ONE }, t.head)
  // Drawers and towels that a person has are not yet towels in drawers.
  if (stated !== undefined || !facts.divided) return stated
  const [things, groups] = [total(facts, { head: t.head }), total(facts, { head: g.head })]
  return things && groups && over(things, groups)
}

/** The number of groups, if the text does not count them itself. */
function byConversion(facts: Facts, { t }: Named): Term | undefined {
  if (t === undefined || facts.amounts.some(({ head }) => head === t.head)) return undefined
  return total(facts, { head: t.head, buys: true })
}

function ofGiven(facts: Facts, { n, t }: Named): Term | undefined {
  return n && t && given(facts, n, t.head)
}

/** Distance divided by time, if both are stated, per the unit of time asked for. */
function speed(facts: Facts, { s, g }: Named): Term | undefined {
  if (s?.head !== 'speed') return undefined
  const way = inUnits(facts, LENGTHS)
  const time = g === undefined ? inUnits(facts, TIMES) : total(facts, { head: g.head })
  return way && time && over(way, time)
}

/** In whichever of these units the text uses. */
function inUnits(facts: Facts, units: readonly string[], n?: Chunk): Term | undefined {
  const spoken = new Set([
    ...facts.amounts.map(({ head }) => head),
    ...facts.rates.flatMap(({ top, bottom }) => [top, bottom]),
  ])
  const head = units.find((unit) => spoken.has(unit))
  if (head === undefined) return undefined
  return n === undefined ? total(facts, { head }) : given(facts, n, head)
}
