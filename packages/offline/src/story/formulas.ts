import { type Expression, literal, over, plus, times, total } from '../expression.ts'
import type { Question } from './question.ts'
import { isDistance, isTime } from './lexicon.ts'
import { fits, type Scene, type Unit } from './scene.ts'

/** For a rectangle with two sides in the same unit. */
export function areaOrPerimeter(
  scene: Scene,
  wanted: 'area' | 'perimeter',
  { words }: Question,
): Expression | undefined {
  const [a, b, ...more] = scene.amounts
  if (!a || !b || more.length > 0 || a.role !== 'side' || b.role !== 'side') return undefined
  if (a.unit.name !== b.unit.name) return undefined
  if ([...words].some((word) => isDistance(word) && word !== a.unit.name)) return undefined
  return wanted === 'area' ? times(a.value, b.value) : times(literal('2'), plus(a.value, b.value))
}

/** The percentage that the smaller of two amounts, a part, is of the larger. */
export function portion(scene: Scene, question: Question): Expression | undefined {
  const [whole, part, ...more] = scene.amounts
  if (!whole || !part || more.length > 0 || part.role !== 'part') return undefined
  if (!question.words.has(part.unit.name)) return undefined
  return times(over(part.value, whole.value), literal('100'))
}

/** The mean of amounts in one unit; their number may be stated ("on three tests"). */
export function mean(scene: Scene, unit: Unit): Expression | undefined {
  const bare = scene.amounts.filter((one) => one.unit.name === '')
  const items = bare.length > 1 ? bare : scene.amounts.filter((one) => fits(one.unit, unit))
  const [count, ...more] = scene.amounts.filter((one) => !items.includes(one))
  const sum = total(items.map(({ value }) => value))
  if (!sum || items.length < 2 || more.length > 0) return undefined
  if (count && count.value.value !== items.length) return undefined
  return over(sum, count?.value ?? literal(String(items.length)))
}

/** Distance divided by time, in the units of the text; a question for other units is not answered. */
export function speed(scene: Scene, { words }: Question): Expression | undefined {
  const [distance, ...further] = scene.amounts.filter(({ unit }) => isDistance(unit.name))
  const [time, ...longer] = scene.amounts.filter(({ unit }) => isTime(unit.name))
  if (!distance || !time || further.length + longer.length > 0) return undefined
  const units = [...words].filter((word) => isDistance(word) || isTime(word))
  const stated = [distance.unit.name, time.unit.name]
  if (words.has('mph') || !units.every((unit) => stated.includes(unit))) return undefined
  return over(distance.value, time.value)
}
