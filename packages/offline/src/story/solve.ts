import { apart, type Expression, literal, minus, over, plus, times, total } from '../expression.ts'
import { areOpposites, DOLLAR, stem } from './lexicon.ts'
import type { Question } from './question.ts'
import { areaOrPerimeter, mean, portion, speed } from './formulas.ts'
import { type Amount, ANYTHING, fits, type Scene, type Unit } from './scene.ts'
import { type Term, towards, wantedUnit } from './units.ts'

/** The scene's answer to the question; undefined if it has no answer or several. */
export function solve(scene: Scene, question: Question): Expression | undefined {
  if (!settleComparisons(scene)) return undefined
  const { wanted } = question
  if (wanted === 'area' || wanted === 'perimeter') return areaOrPerimeter(scene, wanted, question)
  if (wanted === 'percent') return portion(scene, question)
  if (wanted === 'speed') return speed(scene, question)
  const unit = wantedUnit(scene, question)
  if (unit === undefined) return undefined
  if (wanted === 'average') return mean(scene, unit)
  if (scene.amounts.some(({ role }) => role === 'part')) return ofParts(scene, unit, question)
  if (scene.state !== '') return ofOpposite(scene, unit, question)
  const terms = termsOfOwner(collect(scene, unit, question), question)
  if (wanted === 'each') return share(terms, scene, question)
  return settle(terms, scene, question)
}

/** Amounts of the wanted unit, or all amounts if things of all kinds are asked for. */
function collect(scene: Scene, unit: Unit, question: Question): readonly Term[] {
  const found = towards(
    scene,
    question.wanted === 'difference' ? { ...unit, kind: '' } : unit,
    question,
  )
  const anything = question.altogether && question.countable && scene.rates.length === 0
  return found.length > 0 || !anything ? found : towards(scene, ANYTHING, question)
}

/** Turns each comparison into an amount of the owner that was unknown. */
function settleComparisons({ comparisons, amounts }: Scene): boolean {
  for (const { owner, base, unit, relation, by } of comparisons) {
    const mine = only(amounts.filter((one) => one.owner === owner && fits(one.unit, unit)))
    const theirs = only(amounts.filter((one) => one.owner === base))
    if ((mine === undefined) === (theirs === undefined)) return false
    const [forth, back] = { more: [plus, minus], fewer: [minus, plus], times: [times, over] }[
      relation
    ]
    if (theirs && forth) amounts.push({ ...theirs, owner, value: forth(theirs.value, by) })
    if (mine && back) amounts.push({ ...mine, owner: base, value: back(mine.value, by) })
  }
  return true
}

const only = (amounts: readonly Amount[]): Amount | undefined =>
  amounts.length === 1 ? amounts[0] : undefined

/**
 * With several owners, a question about one uses only that owner's amounts; about an unknown owner,
 * none.
 */
function termsOfOwner(terms: readonly Term[], question: Question): readonly Term[] {
  const owners = new Set(terms.filter(({ sign }) => sign > 0).map(({ owner }) => owner))
  const everybody = question.altogether || question.owner === 'they' || !owners.has(question.owner)
  const isStranger = question.possessor && !owners.has(question.owner) && !owners.has('')
  if (isStranger && !question.altogether && owners.size > 0) return []
  const isOne = question.wanted !== 'difference' && !everybody && owners.size > 1
  return isOne ? terms.filter(({ owner }) => owner === question.owner) : terms
}

/** "Change" from money handed over implies no other money before. */
const CHANGE = stem('change')

function settle(terms: readonly Term[], scene: Scene, question: Question): Expression | undefined {
  const { wanted } = question
  const end = terms.find(({ role }) => role === 'end')
  const moves = terms.filter((term) => term !== end)
  if (scene.unknownStart !== (wanted === 'start') && end === undefined) return undefined
  if (end !== undefined) return fromEnd(end, moves, question)
  if (!question.words.has(CHANGE) && countedTwice(moves)) return undefined
  if (wanted === 'difference') return difference(moves, question)
  if (wanted === 'added price' || savesOn(scene, question)) return addedPrice(moves, scene)
  if (asksOfMore(moves)) return undefined
  const repriced = reprice(moves, scene)
  if (repriced === undefined || moves.length === 0) return undefined
  const gains = moves.filter(({ sign }) => sign > 0).length
  if (wanted === 'left') return gains > 0 && gains < moves.length ? balance(repriced) : undefined
  const oneWay = gains === 0 || gains === moves.length
  if (oneWay && scene.unknownStart) return undefined
  if (oneWay) return mixed(moves, question) ? undefined : total(repriced.map(({ value }) => value))
  return question.state ? balance(repriced) : undefined
}

/** An amount after gains and losses may be the total or an addition. */
function countedTwice(moves: readonly Term[]): boolean {
  return moves.some(
    ({ role, owner }, at) =>
      role === 'have' &&
      moves.slice(0, at).some((one) => one.role !== 'have' && one.owner === owner),
  )
}

/** "She needs 150 eggs. How many eggs are in 5 boxes?" does not ask about those 150. */
function asksOfMore(moves: readonly Term[]): boolean {
  const asked = moves.filter(({ role }) => role === 'asked').length
  return asked > 0 && asked < moves.length
}

/** "Ate 3 and lost 4": a sum answers a gain or a stock, not "how many were eaten". */
function mixed(moves: readonly Term[], question: Question): boolean {
  const deeds = new Set(moves.map(({ deed }) => deed))
  const done = moves.some(({ role }) => role === 'do')
  const addsUp = question.altogether || (question.state && !done)
  return deeds.size > 1 && !(addsUp && moves.every(({ sign }) => sign > 0))
}

/** Gains minus losses, starting with a gain. */
function balance(terms: readonly Term[]): Expression | undefined {
  const first = terms.find(({ sign }) => sign > 0)
  return terms
    .filter((term) => term !== first)
    .reduce<Expression | undefined>(
      (sum, { sign, value }) => sum && (sign > 0 ? plus(sum, value) : minus(sum, value)),
      first?.value,
    )
}

function fromEnd(end: Term, moves: readonly Term[], question: Question): Expression | undefined {
  if (question.wanted === 'start') {
    return moves.reduce(
      (sum, { sign, value }) => (sign > 0 ? minus(sum, value) : plus(sum, value)),
      end.value,
    )
  }
  const [start, ...others] = moves
  const known = start?.role === 'have' && others.length === 0 && question.wanted === 'amount'
  return known && !question.state ? apart(start.value, end.value) : undefined
}

/** Only between the two that the question names. */
function difference(terms: readonly Term[], question: Question): Expression | undefined {
  const [a, b, ...more] = terms
  if (!a || !b || more.length > 0) return undefined
  const asked = [
    question.owner,
    question.than,
    question.unit && typeof question.unit === 'object' ? stem(question.unit.kind) : '',
  ]
  const pair = a.owner === b.owner ? [stem(a.kind), stem(b.kind)] : [a.owner, b.owner]
  return pair.every((name) => name !== '' && asked.includes(name))
    ? apart(a.value, b.value)
    : undefined
}

/** Applies discounts and taxes; only if they affect the whole payment. */
function reprice(terms: readonly Term[], scene: Scene): readonly Term[] | undefined {
  const [only, ...others] = terms
  if (scene.priceChanges.length === 0) return terms
  if (only === undefined || others.length > 0) return undefined
  const value = scene.priceChanges.reduce((price, { sign, percent }) => {
    const change = over(percent, literal('100'))
    return times(price, (sign === 'off' ? minus : plus)(literal('1'), change))
  }, only.value)
  return [{ ...only, value }]
}

/** "It is 35% off. How much do I save?" */
const savesOn = ({ priceChanges }: Scene, { words }: Question): boolean =>
  priceChanges.length > 0 && (words.has(stem('save')) || words.has('saved'))

/** The amount of the tip, the tax or the discount. */
function addedPrice(terms: readonly Term[], scene: Scene): Expression | undefined {
  const [only, ...others] = terms
  const [change, ...more] = scene.priceChanges
  if (!only || !change || others.length + more.length > 0) return undefined
  return over(times(only.value, change.percent), literal('100'))
}

/** Shared among the named sharers, or the price of one. */
function share(terms: readonly Term[], scene: Scene, question: Question): Expression | undefined {
  const whole = settle(terms, scene, { ...question, wanted: 'amount' })
  const among = scene.amounts.filter(({ role, unit }) =>
    question.each === '' ? role === 'share' : unit.name === question.each,
  )
  const sharers = among.length > 0 ? among : scene.amounts.filter(({ role }) => role === 'share')
  const [by, ...others] = sharers
  if (whole && by && others.length === 0) return over(whole, by.value)
  const [rate, ...more] = scene.rates.filter(({ per }) => per.name === question.each)
  return !whole && rate && more.length === 0 && rate.unit.name === DOLLAR ? rate.value : undefined
}

/** "57 of the seats are empty. How many are taken?": the others. */
function ofOpposite(scene: Scene, unit: Unit, question: Question): Expression | undefined {
  const isAsked = question.text.split(/[^a-z]+/).some((word) => areOpposites(word, scene.state))
  const terms = towards(scene, unit, question)
  const [whole, part, ...more] = terms
  if (!isAsked || !whole || !part || more.length > 0) return undefined
  return whole.sign > 0 && part.sign < 0 ? minus(whole.value, part.value) : undefined
}

const OPPOSITES: Readonly<Record<string, string>> = {
  boi: 'girl',
  girl: 'boi',
  man: 'woman',
  woman: 'man',
  adult: 'child',
  child: 'adult',
}

/** "13 of the 28 are boys": the parts themselves, or the rest. */
function ofParts(scene: Scene, unit: Unit, question: Question): Expression | undefined {
  const parts = scene.amounts.filter(({ role }) => role === 'part')
  const asked = only(parts.filter((one) => one.unit.name === unit.name))
  if (asked) return asked.value
  const whole = only(scene.amounts.filter(({ role }) => role === 'have'))
  const named = parts.length === 1 && OPPOSITES[parts[0]?.unit.name ?? ''] === unit.name
  const sum = total(parts.map(({ value }) => value))
  const isRest =
    named || scene.rest === unit.name || (question.wanted === 'left' && scene.rest === '')
  return whole && sum && isRest ? minus(whole.value, sum) : undefined
}
