import type { Chunk } from './chunk.ts'
import type { Clause } from './clause.ts'
import { type Facts, type Flow, ownerOf, type Relation, SOMEBODY } from './facts.ts'
import { type Deed, LENGTHS, TIMES } from './lexicon.ts'
import { match } from '../../english/pattern.ts'
import { change, directionOf, shareOf, surcharge } from './percentage.ts'
import { minus, over, plus, type Term, times } from '../../english/term.ts'

type Named = Readonly<Partial<Record<string, Chunk>>>
type Rule = readonly [
  pattern: string,
  read: (facts: Facts, found: Named, clause: Clause) => boolean,
]

const FLOWS: Readonly<Partial<Record<string, Flow>>> = {
  do: 'in',
  gain: 'in',
  earn: 'in',
  buy: 'in',
  come: 'in',
  need: 'need',
  lose: 'out',
  give: 'out',
  sell: 'out',
  pay: 'out',
  leave: 'out',
} satisfies Partial<Record<Deed, Flow>>

/** Every statement form that is read, in the words of `Chunk.kind`. The first that fits is used. */
const RULES: readonly Rule[] = [
  ['be n:number|money total?', hold],
  ['n:number be', hold],
  ['owner:thing|one verb:have|gain|lose|buy|sell|do|earn|need|put|pay n:number|money', hold],
  ['owner:thing|one verb:gain|lose|buy|sell|do n:number more', hold],
  ['owner:thing|one verb:lose|give|sell|pay n:number|money of thing', hold],
  ['owner:thing|one verb:lose n:number of thing? whole:number', loseOfWhole],
  ['owner:thing|one verb:give n:number|money more?', give],
  ['owner:thing|one verb:give to:thing n:number|money more?', give],
  ['owner:thing|one verb:lose|give|sell|pay share:share|percent of thing', loseShare],
  ['owner:thing|one be n:number', measure],
  ['n:number verb:leave|come|lose thing?', move],
  ['n:number come to verb:come thing', move],
  ['thing|one verb:gain|lose|buy|sell|give more|some thing', gap],
  ['thing|one verb:gain|lose|buy|sell|give some of thing', gap],
  // Groups.
  ['owner:thing|one verb:have|buy|sell|gain n:number with k:number each:apiece|each', group],
  ['owner:thing|one verb:have|buy|sell|gain n:number of k:number', group],
  ['verb:be n:number with k:number each:apiece|each', group],
  ['verb:be n:number of k:number', group],
  ['apiece of n:number verb:have|gain k:number', group],
  ['n:number apiece verb:have|gain k:number', group],
  ['n:number verb:have k:number apiece', group],
  ['each:each verb:have k:number', rate],
  ['verb:be k:number each:each', rate],
  ['thing|one verb:have|put k:number each:each', rate],
  ['thing|one? verb:put thing? in|into each:thing of k:number', rate],
  ['n:number verb:be equally|evenly? share equally|evenly? among|between|into|by k:number', pair],
  ['owner:thing share n:number equally|evenly? among|between|into k:number equally|evenly?', pair],
  ['owner:thing put n:number equally|evenly in|into|among k:number', pair],
  ['owner:thing put n:number in|into|among k:number equally|evenly', pair],
  // Prices.
  ['owner:thing|one verb:buy|sell n:number for|at k:money apiece', priced],
  ['owner:thing|one verb:buy n:number that cost k:money apiece', priced],
  [
    'owner:thing|one buy one for n:money',
    (facts, found, clause) => hold(facts, { ...found, verb: SPEND }, clause),
  ],
  ['each:thing|one|each cost k:money', rate],
  ['item:thing cost k:money each:each', rate],
  ['each:thing cost k:money|number apiece', rate],
  ['each:thing be k:money', rate],
  ['n:number cost k:money', priceOfSeveral],
  ['thing|one buy n:number for k:money', priceOfSeveral],
  ['owner:thing pay with one? n:money', hold],
  // Work over time.
  ['owner:thing|one verb:do|gain|earn|sell|lose|put|buy at? k:number|money each:each', work],
  ['owner:thing|one verb:do|gain|earn at? k:number|money each:each for n:number', work],
  ['owner:thing|one verb:do n:number in k:number', pair],
  // Comparisons.
  ['owner:thing|one have|do|gain n:number than other:thing', relation(more)],
  [
    'owner:thing|one have|do|gain n:number fewer|less what:thing? than other:thing',
    relation(fewer),
  ],
  ['owner:thing|one have|do|gain n:number as many what:thing? as other:thing', relation(factor)],
  ['owner:thing|one have|do|gain n:share as many what:thing? as other:thing', relation(factor)],
  ['owner:thing|one be n:number older|longer|taller|heavier than other:thing', relation(more)],
  ['owner:thing|one be n:number younger|shorter|lighter than other:thing', relation(fewer)],
  // Percentages.
  ['item:thing|one be for? share:percent off', off],
  ['one k:money be share:percent off', pricedOff],
  ['item:thing be how:thing by share:percent', changeBy],
  ['how:thing by share:percent', changeBy],
  [
    'name:thing be share:percent',
    (facts, { name, share }) => Boolean(name && share && surcharge(facts, name, share)),
  ],
  [
    'thing pay one? share:percent',
    (facts, { share }) => Boolean(share && surcharge(facts, share, share)),
  ],
  ['share:percent|share of thing verb:be|do|have what:thing', part],
]

/** A thing bought for a sum: only the sum counts. */
const SPEND: Chunk = { kind: 'pay', head: 'spend', mods: [] }

/** Adds the facts of a clause; false if no rule reads it. */
export function readStatement(facts: Facts, clause: Clause): boolean {
  for (const [pattern, read] of RULES) {
    const found = match(pattern, clause.chunks)
    if (found !== undefined) return read(facts, found, clause)
  }
  return false
}

function hold(facts: Facts, { owner, verb, n }: Named, clause: Clause): boolean {
  const name = known(facts, owner)
  // "She needs 20 more" does not say how many she needs in all.
  const vague = n?.mods.includes('more') && [undefined, 'have', 'need'].includes(verb?.kind)
  if (n?.term === undefined || name === SOMEBODY || vague) return false
  facts.amounts.push({
    owner: name,
    head: headOf(facts, n),
    mods: n.kind === 'money' ? [] : n.mods.filter((mod) => mod !== 'more'),
    term: n.term,
    flow: FLOWS[verb?.kind ?? ''] ?? 'have',
    verb: verb?.head ?? 'have',
    ...(owner?.kind === 'one' ? { kind: owner.head } : {}),
    where: clause.where.map(({ phrase }) => phrase),
  })
  return true
}

function known(facts: Facts, chunk: Chunk | undefined): string | undefined {
  const name = ownerOf(facts, chunk)
  if (name !== undefined && name !== SOMEBODY) facts.owners.add(name)
  return name
}

/** A quantity without a noun counts the same thing as the last one. */
function headOf(facts: Facts, quantity: Chunk): string {
  if (quantity.kind === 'money') return '$'
  return quantity.head === '' ? (facts.amounts.at(-1)?.head ?? '') : quantity.head
}

/** A gift adds to the recipient, if one is named. */
function give(facts: Facts, found: Named, clause: Clause): boolean {
  if (!hold(facts, found, clause)) return false
  const given = facts.amounts.at(-1)
  const place = clause.where.find(({ link }) => link === 'to')
  const to = found['to'] === undefined ? place?.head : ownerOf(facts, found['to'], given?.owner)
  if (given === undefined || to === SOMEBODY) return false
  if (to !== undefined) facts.amounts.push({ ...given, owner: to, flow: 'in', verb: 'get' })
  return true
}

function loseOfWhole(facts: Facts, found: Named, clause: Clause): boolean {
  const { owner, whole, n } = found
  if (whole === undefined || n === undefined) return false
  const lost = { ...n, head: whole.head }
  return hold(facts, { owner, n: whole }, clause) && hold(facts, { ...found, n: lost }, clause)
}

function loseShare(facts: Facts, { owner, verb, share }: Named, clause: Clause): boolean {
  const what = facts.amounts.at(-1)?.head
  if (share === undefined || what === undefined) return false
  if (!hold(facts, { owner, verb, n: { ...share, head: what } }, clause)) return false
  const last = facts.amounts.pop()
  if (last !== undefined) facts.amounts.push({ ...last, term: shareOf(share), share: true })
  return true
}

/** "Is 12 years old", "is 45 cm long": only measures take this form. */
function measure(facts: Facts, found: Named, clause: Clause): boolean {
  const unit = found['n']?.head ?? ''
  return [...TIMES, ...LENGTHS].includes(unit) && hold(facts, found, clause)
}

/** Among the losing verbs, only "break" has the lost thing as its subject. */
function move(facts: Facts, { n, verb }: Named, clause: Clause): boolean {
  if (verb?.kind === 'lose' && verb.head !== 'break') return false
  return hold(facts, { n, verb }, clause)
}

function gap(facts: Facts, { verb }: Named): boolean {
  facts.gaps.push({ verb: verb?.head ?? '', flow: FLOWS[verb?.kind ?? ''] ?? 'have' })
  return true
}

function group(facts: Facts, { owner, verb, n, k, each }: Named, clause: Clause): boolean {
  if (each?.kind === 'each' && each.head !== n?.head) return false
  return hold(facts, { owner, verb, n }, clause) && rate(facts, { verb, k, each: n })
}

function rate(facts: Facts, { owner, verb, k, each, item }: Named): boolean {
  if (k?.term === undefined || k.mods.includes('more') || !each || each.head === '') return false
  const who = known(facts, owner)
  const top = k.kind === 'money' ? '$' : k.head
  const about = { verb: verb?.head ?? '', ...(who === undefined ? {} : { who }) }
  // "Pears cost $3 a pound" is about pounds of pears.
  const mods = item === undefined ? each.mods : [...each.mods, item.head]
  facts.rates.push({ top, bottom: each.head, mods, term: k.term, ...about })
  return top !== '' && who !== SOMEBODY
}

function work(facts: Facts, found: Named, clause: Clause): boolean {
  return rate(facts, found) && (found['n'] === undefined || hold(facts, found, clause))
}

/** Two amounts of one statement: shared among, done in. */
function pair(facts: Facts, { owner, n, k }: Named, clause: Clause): boolean {
  facts.divided = true
  return hold(facts, { owner, n }, clause) && hold(facts, { owner, n: k }, clause)
}

function priced(facts: Facts, found: Named, clause: Clause): boolean {
  const { verb, n, k } = found
  if (n === undefined || !hold(facts, found, clause)) return false
  const head = facts.amounts.at(-1)?.head ?? ''
  return rate(facts, { verb, k, each: { ...n, head } })
}

function priceOfSeveral(facts: Facts, { n, k }: Named): boolean {
  if (n?.term === undefined || k?.term === undefined) return false
  return rate(facts, { k: { ...k, term: over(k.term, n.term) }, each: n })
}

type Comparison = (n: Term) => Pick<Relation, 'apply' | 'undo'>

function more(n: Term): ReturnType<Comparison> {
  return { apply: (term) => plus(term, n), undo: (term) => minus(term, n) }
}

function fewer(n: Term): ReturnType<Comparison> {
  return { apply: (term) => minus(term, n), undo: (term) => plus(term, n) }
}

function factor(n: Term): ReturnType<Comparison> {
  return { apply: (term) => times(term, n), undo: (term) => over(term, n) }
}

function relation(comparison: Comparison): Rule[1] {
  return (facts, { owner, other, n, what }) => {
    const [one, two] = [known(facts, owner), known(facts, other)]
    // "Three times as many" counts times; "four cats as many" is not a comparison.
    const factorless = comparison === factor && n?.kind === 'number' && n.head !== 'time'
    if (n?.term === undefined || factorless || one === undefined || two === undefined) return false
    if (one === two || one === SOMEBODY || two === SOMEBODY) return false
    const counted = comparison === factor ? facts.amounts.at(-1)?.head : n.head
    const head = what?.head ?? counted ?? ''
    facts.relations.push({ owner: one, other: two, head, ...comparison(n.term) })
    return head !== ''
  }
}

function off(facts: Facts, { item, share }: Named): boolean {
  return share !== undefined && change(facts, item, share, 'off')
}

function pricedOff(facts: Facts, { k, share }: Named): boolean {
  return rate(facts, { k, each: k }) && off(facts, { item: k, share })
}

function changeBy(facts: Facts, { item, how, share }: Named): boolean {
  const direction = directionOf(how?.head)
  const what = item ?? (how && { ...how, head: how.mods.at(-1) ?? '', mods: [] })
  return share !== undefined && direction !== undefined && change(facts, what, share, direction)
}

function part(facts: Facts, { share, verb, what }: Named): boolean {
  if (share === undefined || what === undefined) return false
  facts.parts.push({ share: shareOf(share), words: [verb?.head ?? '', what.head] })
  return true
}
