import { type Chunk, ONE } from './chunk.ts'
import { type Amount, type Clause, type Facts, ownerOf } from './facts.ts'
import { LENGTHS, TIMES, verbOf } from './lexicon.ts'
import { match } from './pattern.ts'
import { bothWays, convert, held, type Holding, total } from './solve.ts'
import { minus, over, type Term, times } from './term.ts'

type Named = Readonly<Record<string, Chunk>>
type Rule = readonly [pattern: string, solve: (facts: Facts, found: Named) => Term | undefined]

const ACTS = 'gain|lose|buy|sell|do|give|earn|need|put|pay'

/** Every way to ask that is read, with how the answer follows from the facts. */
const RULES: readonly Rule[] = [
  // What is there, or left.
  ['how-many|how-much t:thing owner:thing have left:left', left],
  ['how-many|how-much t:thing be left:left', left],
  ['how-much owner:thing have left:left', left],
  [
    'how-much t:thing owner:thing gain',
    (f, m) => (m['t']?.head === 'change' ? spare(f, m) : earned(f, m)),
  ],
  ['how-many|how-much t:thing owner:thing have total?', holding],
  ['how-many t:thing be total?', holding],
  ['how-many t:thing owner:thing verb:gain|lose|buy|sell|do|give|earn total?', byVerb],
  ['how-old be owner:thing', (facts, found) => held(facts, whose(facts, found, 'year'))],
  ['how-long be owner:thing', (facts, found) => held(facts, whose(facts, found, 'cm'))],
  ['how-many t:thing verb:be|do|have what:thing', partOf],
  [
    'what be t:thing',
    (facts, { t }) =>
      t?.head === 'population' ? total(facts, { head: 'person' }) : priceTotal(facts, t),
  ],
  ['what be thing total t:thing', (facts, { t }) => priceTotal(facts, t)],
  // One beside another.
  ['how-many more t:thing owner:thing have|do|gain than other:thing', difference],
  [
    'how-many fewer t:thing owner:thing have|do|gain than other:thing',
    (facts, found) => difference(facts, swapped(found)),
  ],
  ['how-many more t:thing than u:thing be', kinds],
  ['how-many fewer u:thing than t:thing be', kinds],
  ['how-many|how-much more t:thing owner:thing need', lacking],
  // Groups and rates.
  ['how-many t:thing g:each have|gain', perGroup],
  ['how-many t:thing be g:each', perGroup],
  ['how-many t:thing be in|on|inside n:number', ofGiven],
  ['how-many t:thing n:number have', ofGiven],
  [`how-many t:thing owner:thing ${ACTS}`, (facts, { t }) => groupsOf(facts, t)],
  ['how-many t:thing owner:thing do|gain in|for n:number|one', ofGiven],
  ['how-many t:thing owner:thing do|gain n:number|one', ofGiven],
  ['how-many t:thing owner:thing take thing? to do|gain n:number', ofGiven],
  ['how-many t:thing owner:thing buy with n:money', ofGiven],
  ['how-far owner:thing do', (facts) => oneOf(facts, LENGTHS)],
  ['how-far owner:thing do in|for n:number', (facts, { n }) => oneOf(facts, LENGTHS, n)],
  ['how-long owner:thing take to do n:number', (facts, { n }) => oneOf(facts, TIMES, n)],
  ['what be s:thing each?', speed],
  // Money.
  ['how-much|what n:number cost total?', cost],
  ['how-much|what n:number and m:number cost total?', cost],
  ['how-much thing cost total?', cost],
  [
    'how-much one:one cost',
    (facts, { one }) =>
      convert(facts, { head: one?.head ?? '', mods: one?.mods ?? [], term: ONE }, '$'),
  ],
  ['how-much thing? owner:thing pay total?', cost],
  ['how-much thing? owner:thing earn total?', earned],
  ['how-much thing? owner:thing earn in|for n:number|one', (facts, { n }) => given(facts, n, '$')],
]

/** The term that answers a question from the facts, or undefined. */
export function answer(facts: Facts, question: Clause): Term | undefined {
  const chunks = question.chunks.filter(({ kind }) => kind !== 'then')
  if (facts.gaps.length > 0) return fillGap(facts, question)
  if (!sameScene(facts, question)) return undefined
  for (const [pattern, solve] of RULES) {
    const found = match(pattern, chunks)
    if (found === undefined) continue
    const term = solve(bothWays(facts, chunks), found)
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
  return question.where.every(({ head }) => {
    const away = facts.amounts.filter(({ where }) => !where.includes(head))
    return away.every(arrives) || (away.length === facts.amounts.length && nouns.has(head))
  })
}

/** Who joins or leaves does so where the others are. */
function arrives({ verb }: Amount): boolean {
  return ['come', 'leave'].includes(verbOf(verb)?.deed ?? '')
}

/** Things are counted in whole numbers; measures are not. */
function whole(term: Term, thing: Chunk | undefined): Term | undefined {
  const measured =
    thing === undefined ||
    [...TIMES, ...LENGTHS, 'money', 'change', 'price', 'cost', 'speed'].includes(thing.head)
  return measured || Math.abs(term.value - Math.round(term.value)) < 1e-9 ? term : undefined
}

function whose(facts: Facts, { owner, t }: Named, head?: string): Holding {
  const name = ownerOf(facts, owner)
  const thing =
    head ?? (t === undefined || t.head === 'money' || t.head === 'change' ? '$' : t.head)
  return { head: thing, mods: t?.mods ?? [], ...(name === undefined ? {} : { owner: name }) }
}

function holding(facts: Facts, found: Named): Term | undefined {
  return held(facts, whose(facts, found))
}

/** "Left" makes sense only where something went. */
function left(facts: Facts, found: Named): Term | undefined {
  const goes = facts.amounts.some(({ flow }) => flow === 'out')
  const buys = facts.amounts.some(({ verb }) => verb === 'buy' || verb === 'pay')
  return goes || buys ? spare(facts, found) : undefined
}

function spare(facts: Facts, found: Named): Term | undefined {
  return held(facts, { ...whose(facts, found), spent: true })
}

function byVerb(facts: Facts, found: Named): Term | undefined {
  const wanted = whose(facts, found)
  const done = facts.amounts.filter(({ verb }) => verb === found['verb']?.head)
  const ways = done.map((amount): Amount => ({ ...amount, flow: 'in' }))
  return held({ ...facts, amounts: ways }, wanted)
}

/** "He lost some, and now he has 51": what went is the difference of two states. */
function fillGap(facts: Facts, question: Clause): Term | undefined {
  const found = match('how-many t:thing owner:thing verb:gain|lose|buy|sell|give', question.chunks)
  const [gap, ...gaps] = facts.gaps
  const [before, after, ...more] = facts.amounts
  if (found === undefined || gap === undefined || before === undefined || after === undefined) return undefined
  const states = before.flow === 'have' && after.flow === 'have' && before.owner === after.owner
  const same = before.head === after.head && before.head === found['t']?.head
  if (!states || !same || gap.verb !== found['verb']?.head || gaps.length + more.length > 0) return undefined
  return gap.flow === 'out' ? minus(before.term, after.term) : minus(after.term, before.term)
}

function partOf(facts: Facts, { t, verb, what }: Named): Term | undefined {
  const [part] = facts.parts
  const all = t && total(facts, { head: t.head })
  if (part === undefined || all === undefined) return undefined
  const said = part.words.join(' ') === [verb?.head, what?.head].join(' ')
  return said ? times(all, part.share) : undefined
}

function swapped(found: Named): Named {
  const { owner, other } = found
  return owner && other ? { ...found, owner: other, other: owner } : found
}

function difference(facts: Facts, found: Named): Term | undefined {
  const one = holding(facts, found)
  const two = holding(facts, swapped(found))
  return one && two && minus(one, two)
}

function kinds(facts: Facts, { t, u }: Named): Term | undefined {
  const one = t && total(facts, { head: t.head })
  const two = u && total(facts, { head: u.head })
  return one && two && minus(one, two)
}

function lacking(facts: Facts, found: Named): Term | undefined {
  const goals = facts.amounts.filter(({ flow }) => flow === 'need')
  const has = { ...facts, amounts: facts.amounts.filter(({ flow }) => flow !== 'need') }
  const now = held(has, whose(facts, found))
  const [goal] = goals
  return goals.length === 1 && goal && now && minus(goal.term, now)
}

/** So many for each: stated, or the whole divided by the number of groups. */
function perGroup(facts: Facts, { t, g }: Named): Term | undefined {
  if (t === undefined || g === undefined) return undefined
  const stated = convert(facts, { head: g.head, mods: [], term: ONE }, t.head)
  if (stated !== undefined) return stated
  const [things, count] = [total(facts, { head: t.head }), total(facts, { head: g.head })]
  return things && count && over(things, count)
}

/** Way by time, where both are stated. */
function speed(facts: Facts, { s }: Named): Term | undefined {
  if (s?.head !== 'speed') return undefined
  const way = oneOf(facts, LENGTHS)
  const time = oneOf(facts, TIMES)
  return way && time && over(way, time)
}

function groupsOf(facts: Facts, t: Chunk | undefined): Term | undefined {
  return t && total(facts, { head: t.head })
}

/** The question brings a quantity of its own; then the text must hold none of that kind. */
function ofGiven(facts: Facts, { n, t }: Named): Term | undefined {
  return given(facts, n, t?.head ?? '')
}

function given(facts: Facts, n: Chunk | undefined, head: string): Term | undefined {
  if (n === undefined || facts.amounts.length > 0) return undefined
  const from = n.kind === 'money' ? '$' : n.head
  return convert(facts, { head: from, mods: n.mods, term: n.term ?? ONE }, head)
}

function oneOf(facts: Facts, heads: readonly string[], n?: Chunk): Term | undefined {
  const units = new Set([
    ...facts.amounts.map(({ head }) => head),
    ...facts.rates.flatMap(({ top, bottom }) => [top, bottom]),
  ])
  const head = heads.find((unit) => units.has(unit))
  if (head === undefined) return undefined
  return n === undefined ? total(facts, { head }) : given(facts, n, head)
}

function cost(facts: Facts, { n, m }: Named): Term | undefined {
  const bought = facts.amounts.filter(({ flow, head }) => flow !== 'have' || head !== '$')
  const asked = [n, m].filter((chunk) => chunk !== undefined).map((one) => pieces(facts, one))
  if (asked.length > 0 && bought.length > 0) return undefined
  const amounts = [...bought, ...asked].map((amount): Amount => ({ ...amount, flow: 'in' }))
  return surcharged(facts, total({ ...facts, amounts }, { head: '$', single: true }))
}

/** "What do three cost?": shirts, where nothing else has a price. */
function pieces(facts: Facts, { head, mods, term = ONE }: Chunk): Amount {
  const [only, ...others] = facts.rates
  const thing = head === '' && others.length === 0 ? (only?.bottom ?? '') : head
  return { owner: undefined, head: thing, mods, term, flow: 'have', verb: 'buy', where: [] }
}

function surcharged(facts: Facts, price: Term | undefined): Term | undefined {
  return price && facts.surcharges.reduce(times, price)
}

function priceTotal(facts: Facts, t: Chunk | undefined): Term | undefined {
  if (t === undefined || !['price', 'cost', 'bill'].includes(t.head)) return undefined
  return cost(facts, {})
}

function earned(facts: Facts, found: Named): Term | undefined {
  const ways = facts.amounts.filter(({ verb }) => verb !== 'buy')
  if (ways.length < facts.amounts.length || (found['t'] && found['t'].head !== 'money'))
    return undefined
  const amounts = ways.map((amount): Amount => ({ ...amount, flow: 'in' }))
  return total({ ...facts, amounts }, { head: '$' })
}
