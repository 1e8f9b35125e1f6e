import { type Chunk, ONE } from './chunk.ts'
import { type Amount, type Facts, ownerOf } from './facts.ts'
import { given, held, lonePrice, spending, total } from './solve.ts'
import { type Term, times } from '../../english/term.ts'

type Named = Readonly<Partial<Record<string, Chunk>>>

/** The amount paid: for the pieces that the question names, or for those bought. */
export function cost(facts: Facts, { n, m, owner }: Named): Term | undefined {
  const payer = ownerOf(facts, owner)
  const buyers = facts.amounts.filter(({ verb }) => verb === 'buy')
  if (payer !== undefined && buyers.some((one) => one.owner !== payer)) return undefined
  const asked = [n, m].flatMap((chunk) => (chunk === undefined ? [] : [pieces(facts, chunk)]))
  if (asked.length > 0 && facts.amounts.length > 0) return undefined
  const amounts = asked.length > 0 ? asked : facts.amounts
  return surcharged(facts, spending({ ...facts, amounts }))
}

/** The price of the only thing with a price, or of everything bought. */
export function price(facts: Facts, { item, t }: Named): Term | undefined {
  const name = t?.head ?? item?.head ?? ''
  if (['price', 'cost', 'bill', 'it'].includes(name)) return cost(facts, {})
  const only = facts.rates[0]?.bottom === name && t === undefined
  return only ? surcharged(facts, lonePrice(facts)) : undefined
}

/** The change from the money paid. */
export function change(facts: Facts, { owner, t }: Named): Term | undefined {
  if (t?.head !== 'change') return undefined
  const name = ownerOf(facts, owner)
  return held(facts, { head: '$', spent: true, ...(name === undefined ? {} : { owner: name }) })
}

/** Wages and sales. The text must state how many days a week of work has. */
export function earned(facts: Facts, { owner, t, n }: Named): Term | undefined {
  if (t !== undefined && t.head !== 'money') return undefined
  if (n !== undefined) {
    const long = n.head === 'week' || n.head === 'year'
    const daily = facts.rates.some(({ bottom }) => ['day', 'hour'].includes(bottom))
    return long && daily ? undefined : given(facts, n, '$')
  }
  const name = ownerOf(facts, owner)
  const mine = facts.amounts.filter((amount) => name === undefined || amount.owner === name)
  const got = mine
    .filter(({ verb }) => verb !== 'buy')
    .map((one): Amount => ({ ...one, flow: 'in' }))
  return got.some(({ head, verb }) => head === '$' && verb !== 'earn')
    ? undefined
    : total({ ...facts, amounts: got }, { head: '$' })
}

/** "What do three cost?": refers to the only thing with a price. */
function pieces(facts: Facts, { head, mods, term = ONE }: Chunk): Amount {
  const [only, ...others] = facts.rates
  const thing = head === '' && others.length === 0 ? (only?.bottom ?? '') : head
  return { owner: undefined, head: thing, mods, term, flow: 'in', verb: 'buy', where: [] }
}

function surcharged(facts: Facts, sum: Term | undefined): Term | undefined {
  return sum && facts.surcharges.reduce(times, sum)
}
