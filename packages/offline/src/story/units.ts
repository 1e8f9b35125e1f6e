import { type Expression, over, times } from '../expression.ts'
import { DOLLAR, isDistance, isTime } from './lexicon.ts'
import type { Question } from './question.ts'
import { type Amount, fits, type Rate, type Scene, type Unit } from './scene.ts'

/** An amount in the requested unit. */
export interface Term {
  readonly value: Expression
  /** 1 adds to the stock, -1 subtracts from it. */
  readonly sign: 1 | -1
  readonly owner: string
  readonly role: Amount['role']
  readonly kind: string
  /** The verb, as written. */
  readonly deed: string
}

/** The unit of the answer; undefined if several are possible. */
export function wantedUnit(scene: Scene, { unit }: Question): Unit | undefined {
  if (typeof unit === 'object') return unit
  const counted = [...scene.amounts.filter(({ role }) => role !== 'share'), ...scene.rates]
    .map((one) => one.unit)
    .filter(({ name }) => name !== '')
  const distances = counted.filter(({ name }) => isDistance(name))
  if (unit === 'distance') return sole(distances)
  if (unit === undefined) {
    const things = counted.filter(({ name }) => !isTime(name))
    return (
      sole(things) ??
      sole(things.filter((thing) => !scene.rates.some(({ per }) => fits(thing, per))))
    )
  }
  const pace = scene.rates.find(
    (rate) => isTime(rate.per.name) && scene.amounts.some((one) => fits(one.unit, rate.unit)),
  )
  return pace?.per ?? sole(counted)
}

function sole(units: readonly Unit[]): Unit | undefined {
  const [first, ...others] = units
  return others.every(({ name }) => name === first?.name)
    ? first && { ...first, kind: '' }
    : undefined
}

/**
 * All amounts that the rates can convert to the wanted unit: 5 days, 6 hours a day and $12 an hour make
 * dollars. "A box holds 8" counts as one box if no boxes are counted.
 */
export function towards(scene: Scene, unit: Unit, question: Question): readonly Term[] {
  const sides = scene.amounts.filter(({ role }) => role === 'side')
  const stated = scene.amounts.filter(
    ({ role }) => role !== 'share' && (role !== 'side' || sides.length === 1),
  )
  const amounts = [...assumed(scene, unit), ...stated]
  if (asksOfOthers(amounts)) return []
  return amounts.flatMap((amount) => {
    const [way, ...others] = convert(amount, unit, scene.rates)
    return way && others.length === 0 ? [term(amount, way, unit, question)] : []
  })
}

/** "Tom has 5 apples at $2. How much do 8 apples cost?" does not ask about Tom's apples. */
function asksOfOthers(amounts: readonly Amount[]): boolean {
  const asked = amounts.filter(({ role, unit }) => role === 'asked' && unit.name !== '')
  const stated = amounts.filter(({ role }) => role !== 'asked')
  return stated.some(({ unit }) => asked.some((other) => other.unit.name === unit.name))
}

/**
 * One jacket or class, from "a jacket costs $80" or "a class has 28 students", if they are not counted.
 */
function assumed({ amounts, rates }: Scene, unit: Unit): readonly Amount[] {
  return rates
    .filter(
      (rate) =>
        rate.implicit &&
        !fits(unit, rate.per) &&
        !amounts.some((one) =>
          one.unit.name === ''
            ? one.role === 'asked'
            : one.role !== 'part' && fits(one.unit, rate.per),
        ),
    )
    .map(({ unit, value, role, per }) => ({ unit, value, role, owner: per.name, deed: role }))
}

interface Way {
  readonly value: Expression
  readonly through: readonly Rate[]
}

function convert(
  { unit, value, role }: Amount,
  wanted: Unit,
  rates: readonly Rate[],
): readonly Way[] {
  const priced =
    role === 'asked' && unit.name === '' ? rates.find((rate) => fits(rate.unit, wanted)) : undefined
  if (priced) return [{ value: times(priced.value, value), through: [priced] }]
  if (fits(unit, wanted)) return [{ value, through: [] }]
  const forward = follow({ value, through: [] }, unit, wanted, rates)
  if (forward.length > 0) return forward
  return rates
    .filter((rate) => fits(unit, rate.unit) && fits(rate.per, wanted))
    .map((rate) => ({ value: over(value, rate.value), through: [rate] }))
}

function follow(way: Way, unit: Unit, wanted: Unit, rates: readonly Rate[]): readonly Way[] {
  return rates
    .filter((rate) => fits(unit, rate.per) && !way.through.includes(rate))
    .flatMap((rate) => {
      const next = { value: times(way.value, rate.value), through: [...way.through, rate] }
      return fits(rate.unit, wanted) ? [next] : follow(next, rate.unit, wanted, rates)
    })
}

function term(amount: Amount, way: Way, unit: Unit, question: Question): Term {
  const role = amount.role === 'span' ? (way.through.at(-1)?.role ?? 'span') : amount.role
  const sign = takesAway(role, unit.name === DOLLAR, question) ? -1 : 1
  return {
    value: way.value,
    sign,
    owner: amount.owner,
    role,
    kind: amount.unit.kind,
    deed: amount.role === 'span' ? role : amount.deed,
  }
}

/** Buying brings goods and takes money; reading 20 pages leaves so many fewer to read. */
function takesAway(role: Amount['role'], money: boolean, question: Question): boolean {
  if (role === 'lose' || role === (money ? 'buy' : 'sell')) return true
  return question.wanted === 'left' && (role === 'do' || role === 'cost')
}
