import type { Chunk } from './chunk.ts'
import { ONE } from './chunk.ts'
import { constant, minus, over, percent, plus, rest, type Term, times } from './term.ts'
import { match } from './pattern.ts'

/** So many of a thing: held, come in or gone out. `share` is a part of what was there. */
export interface Amount {
  /** Who holds it; undefined where nobody is named ("there are"). */
  readonly owner: string | undefined
  readonly head: string
  readonly mods: readonly string[]
  readonly term: Term
  readonly flow: 'have' | 'in' | 'out' | 'need'
  /** The base form of the verb. */
  readonly verb: string
  /** The noun of the owner where it came with "a": "a spider has 8 legs" may hold for all. */
  readonly kind?: string
  readonly share?: true
  readonly where: readonly string[]
}

/** So many of `top` for each `bottom`. */
export interface Rate {
  readonly top: string
  readonly bottom: string
  readonly mods: readonly string[]
  readonly term: Term
}

/** One owner's amount from another's, and back. */
export interface Relation {
  readonly owner: string
  readonly other: string
  readonly head: string
  readonly apply: (other: Term) => Term
  readonly undo: (owner: Term) => Term
}

/** What part of a whole does or is something ("25% of them play chess"). */
export interface Part {
  readonly share: Term
  readonly words: readonly string[]
}

/** A gain or a loss of unknown size. */
export interface Gap {
  readonly verb: string
  readonly flow: Amount['flow']
}

/** All that a text states, in its order. */
export interface Facts {
  readonly amounts: Amount[]
  readonly rates: Rate[]
  readonly relations: Relation[]
  readonly parts: Part[]
  /** Tips and taxes on the whole price. */
  readonly surcharges: Term[]
  readonly owners: Set<string>
  /** What is said to come or go without a number ("lost some of them"). */
  readonly gaps: Gap[]
}

/** One statement: its chunks without adverbial phrases, and the nouns of those phrases. */
export interface Clause {
  readonly chunks: readonly Chunk[]
  readonly where: readonly { readonly link: string; readonly head: string }[]
}

type Named = Readonly<Record<string, Chunk>>
type Rule = readonly [
  pattern: string,
  read: (facts: Facts, found: Named, clause: Clause) => boolean,
]

const FLOWS: Readonly<Record<string, Amount['flow']>> = {
  have: 'have',
  be: 'have',
  put: 'have',
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
}
const FALLS = new Set(['reduced', 'discounted', 'decreased', 'lowered', 'decrease', 'drop', 'fall'])
const RISES = new Set(['increased', 'raised', 'increase', 'rise', 'grow', 'grew', 'rose'])

const RULES: readonly Rule[] = [
  ['be n:number total?', (facts, { n }, clause) => hold(facts, { n }, clause)],
  ['owner:thing|one verb:have|gain|lose|buy|sell|do|earn|need|put|pay n:number|money more?', hold],
  ['owner:thing|one verb:lose|give|sell|pay n:number|money of thing', hold],
  ['owner:thing|one verb:lose n:number of thing? whole:number', loseOfWhole],
  ['owner:thing|one verb:give n:number|money more?', give],
  ['owner:thing|one verb:give to:thing n:number|money more?', give],
  ['owner:thing|one verb:lose|give|sell|pay share:share|percent of thing', loseShare],
  ['owner:thing|one be n:number', hold],
  ['n:number verb:leave|come|lose thing?', moves],
  ['thing|one verb:gain|lose|buy|sell|give more|some thing', gap],
  ['thing|one verb:gain|lose|buy|sell|give some of thing', gap],
  // Groups.
  ['owner:thing|one verb:have|buy|sell|gain n:number with k:number e:apiece|each', groups],
  ['owner:thing|one verb:have|buy|sell|gain n:number of k:number', groups],
  ['verb:be n:number with k:number e:apiece|each', groups],
  ['verb:be n:number of k:number', groups],
  ['apiece of n:number verb:have|gain k:number', groups],
  ['n:number apiece verb:have|gain k:number', groups],
  ['n:number verb:have k:number apiece', groups],
  ['each:each have k:number', rate],
  ['be k:number each:each', rate],
  ['thing|one have|put k:number each:each', rate],
  ['thing|one? put thing? in|into each:thing of k:number', rate],
  ['n:number be share among|between|into|by k:number', shareOut],
  // Prices.
  ['owner:thing|one verb:buy|sell n:number for|at k:money apiece', priced],
  ['owner:thing|one verb:buy n:number that cost k:money apiece', priced],
  [
    'owner:thing|one verb:buy one for n:money',
    (facts, { owner, verb, n }, clause) =>
      hold(facts, { owner, n, verb: verb && { ...verb, kind: 'pay', head: 'spend' } }, clause),
  ],
  ['each:thing|one|each cost k:money', rate],
  ['thing cost k:money each:each', rate],
  ['each:thing cost k:money apiece', rate],
  ['each:thing cost k:number apiece', rate],
  ['each:thing be k:money', rate],
  ['n:number cost k:money', priceOfSeveral],
  ['thing|one buy n:number for k:money', priceOfSeveral],
  ['owner:thing pay with one? n:money', tender],
  // Work over time.
  ['thing|one do|gain|earn at? k:number|money each:each', rate],
  ['owner:thing|one verb:do|gain|earn at? k:number|money each:each for n:number', rateFor],
  ['owner:thing|one verb:do n:number in k:number', shareOut],
  // One beside another.
  ['owner:thing|one have|do|gain n:number than other:thing', (f, m) => relate(f, m, MORE)],
  [
    'owner:thing|one have|do|gain n:number fewer|less what:thing? than other:thing',
    (f, m) => relate(f, m, FEWER),
  ],
  [
    'owner:thing|one have|do|gain n:number|share as many what:thing? as other:thing',
    (f, m) => relate(f, m, TIMES),
  ],
  [
    'owner:thing|one be n:number older|longer|taller|heavier than other:thing',
    (f, m) => relate(f, m, MORE),
  ],
  [
    'owner:thing|one be n:number younger|shorter|lighter than other:thing',
    (f, m) => relate(f, m, FEWER),
  ],
  // Percentages.
  ['thing|one be for? share:percent off', (facts, { share }) => change(facts, share, 'off')],
  ['one k:money be share:percent off', pricedOff],
  ['thing be how:thing by share:percent', changeBy],
  ['how:thing by share:percent', changeBy],
  ['how:thing be share:percent', surcharge],
  ['thing pay one? how:percent', surcharge],
  ['share:percent|share of whole:thing verb:be|do|have what:thing', part],
]

/** Adds what a clause states; false where no rule reads it. */
export function readFact(facts: Facts, clause: Clause): boolean {
  for (const [pattern, read] of RULES) {
    const found = match(pattern, clause.chunks)
    if (found !== undefined) return read(facts, found, clause)
  }
  return false
}

/** The name that facts about a thing are kept under; pronouns stand for the one owner so far. */
export function ownerOf(facts: Facts, chunk: Chunk | undefined, not?: string): string | undefined {
  if (chunk === undefined || ['they', 'them', 'we', 'us', 'you'].includes(chunk.head))
    return undefined
  if (!['he', 'she', 'it', 'him', 'her'].includes(chunk.head)) {
    return [...chunk.mods, chunk.head].join(' ')
  }
  const known = [...facts.owners].filter((owner) => owner !== not)
  return known.length === 1 ? known[0] : known.length === 0 ? undefined : 'somebody'
}

function hold(
  facts: Facts,
  found: Readonly<Record<string, Chunk | undefined>>,
  clause: Clause,
): boolean {
  const { owner, verb, n } = found
  if (n?.term === undefined) return false
  const name = ownerOf(facts, owner)
  if (name !== undefined) facts.owners.add(name)
  add(facts, {
    owner: name,
    head: headOf(facts, n),
    mods: n.mods,
    term: n.term,
    flow: FLOWS[verb?.kind ?? 'have'] ?? 'have',
    verb: verb?.head ?? 'have',
    ...(owner?.kind === 'one' ? { kind: owner.head } : {}),
    where: clause.where.map(({ head }) => head),
  })
  return name !== 'somebody'
}

function add(facts: Facts, amount: Amount): void {
  facts.amounts.push(amount)
}

/** A quantity without a noun counts what was counted last. */
function headOf(facts: Facts, quantity: Chunk): string {
  if (quantity.kind === 'money') return '$'
  return quantity.head === '' ? (facts.amounts.at(-1)?.head ?? '') : quantity.head
}

function give(facts: Facts, found: Named, clause: Clause): boolean {
  if (!hold(facts, found, clause)) return false
  const given = facts.amounts.at(-1)
  const place = clause.where.find(({ link }) => link === 'to')
  const to = found['to'] === undefined ? place?.head : ownerOf(facts, found['to'], given?.owner)
  if (given === undefined || to === 'somebody') return false
  if (to !== undefined) add(facts, { ...given, owner: to, flow: 'in', verb: 'get' })
  return true
}

function loseOfWhole(facts: Facts, found: Named, clause: Clause): boolean {
  const { owner, whole, n } = found
  if (whole === undefined || n === undefined) return false
  if (!hold(facts, { owner, n: whole }, clause)) return false
  return hold(facts, { ...found, n: { ...n, head: whole.head } }, clause)
}

function gap(facts: Facts, { verb }: Named): boolean {
  if (verb === undefined) return false
  facts.gaps.push({ verb: verb.head, flow: FLOWS[verb.kind] ?? 'have' })
  return true
}

function loseShare(facts: Facts, { owner, verb, share }: Named, clause: Clause): boolean {
  if (share === undefined || !hold(facts, { owner, verb, n: { ...share, head: '' } }, clause))
    return false
  const last = facts.amounts.pop()
  if (last === undefined || last.head === '') return false
  add(facts, { ...last, term: shareOf(share), share: true })
  return true
}

function shareOf(chunk: Chunk): Term {
  const term = chunk.term ?? ONE
  return chunk.kind === 'percent' ? percent(term) : term
}

/** Of the losing verbs only "break" has what is lost for its subject. */
function moves(facts: Facts, { n, verb }: Named, clause: Clause): boolean {
  if (verb?.kind === 'lose' && verb.head !== 'break') return false
  return hold(facts, { n, verb }, clause)
}

function groups(facts: Facts, { owner, verb, n, k, e }: Named, clause: Clause): boolean {
  if (e?.kind === 'each' && e.head !== n?.head) return false
  if (n === undefined || !hold(facts, { owner, verb, n }, clause)) return false
  return rate(facts, { ...(k && { k }), each: n })
}

function rate(facts: Facts, { k, each }: Partial<Record<string, Chunk>>): boolean {
  if (k?.term === undefined || each === undefined || each.head === '') return false
  const top = k.kind === 'money' ? '$' : k.head
  facts.rates.push({ top, bottom: each.head, mods: each.mods, term: k.term })
  return top !== ''
}

function shareOut(facts: Facts, { owner, verb, n, k }: Named, clause: Clause): boolean {
  return hold(facts, { owner, verb, n }, clause) && hold(facts, { owner, n: k }, clause)
}

function priced(facts: Facts, found: Named, clause: Clause): boolean {
  const { n, k } = found
  if (n === undefined || !hold(facts, found, clause)) return false
  return rate(facts, { ...(k && { k }), each: { ...n, head: headOf(facts, n) } })
}

function priceOfSeveral(facts: Facts, { n, k }: Named): boolean {
  if (n?.term === undefined || k?.term === undefined) return false
  return rate(facts, { k: { ...k, term: over(k.term, n.term) }, each: n })
}

function tender(facts: Facts, { owner, n }: Named, clause: Clause): boolean {
  return hold(facts, { owner, n: n && { ...n, mods: [] } }, clause)
}

function rateFor(facts: Facts, found: Named, clause: Clause): boolean {
  return rate(facts, found) && hold(facts, found, clause)
}

type Comparison = (n: Term) => Pick<Relation, 'apply' | 'undo'>
const MORE: Comparison = (n) => ({ apply: (t) => plus(t, n), undo: (t) => minus(t, n) })
const FEWER: Comparison = (n) => ({ apply: (t) => minus(t, n), undo: (t) => plus(t, n) })
const TIMES: Comparison = (n) => ({ apply: (t) => times(t, n), undo: (t) => over(t, n) })

function relate(facts: Facts, { owner, other, n, what }: Named, comparison: Comparison): boolean {
  if (n?.term === undefined || (comparison === TIMES && n.kind === 'number' && n.head !== 'time')) {
    return false
  }
  const [one, two] = [ownerOf(facts, owner), ownerOf(facts, other)]
  if (one === undefined || two === undefined || one === two) return false
  facts.owners.add(one).add(two)
  const head = what?.head ?? (comparison === TIMES ? (facts.amounts.at(-1)?.head ?? '') : n.head)
  facts.relations.push({ owner: one, other: two, head, ...comparison(n.term) })
  return head !== '' && one !== 'somebody' && two !== 'somebody'
}

function pricedOff(facts: Facts, { k, share }: Named): boolean {
  if (k === undefined) return false
  return rate(facts, { k, each: { ...k, kind: 'one' } }) && change(facts, share, 'off')
}

/** A change of a price or a number changes the only one there is: with two it is not read. */
function change(facts: Facts, share: Chunk | undefined, direction: 'on' | 'off'): boolean {
  if (share === undefined || facts.rates.length + facts.amounts.length !== 1) return false
  const factor = rest(shareOf(share), direction)
  const [price, amount] = [facts.rates[0], facts.amounts[0]]
  if (price !== undefined) facts.rates[0] = { ...price, term: times(price.term, factor) }
  if (amount !== undefined) facts.amounts[0] = { ...amount, term: times(amount.term, factor) }
  return true
}

function changeBy(facts: Facts, { how, share }: Named): boolean {
  if (FALLS.has(how?.head ?? '')) return change(facts, share, 'off')
  return RISES.has(how?.head ?? '') && change(facts, share, 'on')
}

function surcharge(facts: Facts, { how, share }: Named): boolean {
  const quantity = share ?? how
  if (quantity?.term === undefined || !['tip', 'tax'].includes(how?.head ?? '')) return false
  facts.surcharges.push(plus(constant(1), percent(quantity.term)))
  return true
}

function part(facts: Facts, { share, verb, what }: Named): boolean {
  if (share === undefined || what === undefined) return false
  facts.parts.push({ share: shareOf(share), words: [verb?.head ?? '', what.head] })
  return true
}
