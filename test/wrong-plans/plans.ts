import type { Question } from './questions.ts'

const WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  twice: 2,
  half: 2,
  dozen: 12,
}
/** Maximum numbers to combine in every way; more would make millions of plans. */
const MOST_NUMBERS = 4

/**
 * The answers of wrong plans: every number of the question, every combination of up to four of them by
 * + - * / in either order (swapped operators, dropped numbers, missing steps, wrong order), percentages
 * taken as plain numbers, off or on, and the right value off by one or by a factor of a hundred.
 */
export function wrongValues([text, right]: Question): readonly number[] {
  const numbers = numbersOf(text)
  const values = new Set(right === null ? [] : [right - 1, right + 1, right * 100, right / 100])
  for (const variant of text.match(/%|percent/) ? percentages(numbers) : [numbers])
    combine(variant, values)
  return [...values].filter(
    (value) => Number.isFinite(value) && !(right !== null && same(value, right)),
  )
}

/** Equal except for the last digits of floating-point arithmetic. */
export function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
}

function numbersOf(text: string): readonly number[] {
  const found = text.toLowerCase().match(/\d[\d,]*(?:\.\d+)?|[a-z]+/g) ?? []
  const numbers = found.flatMap((piece) =>
    /\d/.test(piece) ? [Number(piece.replaceAll(',', ''))] : (WORDS[piece] ?? []),
  )
  return numbers.slice(0, MOST_NUMBERS)
}

/** Each number in turn as n, n/100, 1 - n/100 and 1 + n/100. */
function percentages(numbers: readonly number[]): readonly (readonly number[])[] {
  return numbers.flatMap((n, at) =>
    [n, n / 100, 1 - n / 100, 1 + n / 100].map((value) => numbers.toSpliced(at, 1, value)),
  )
}

function combine(numbers: readonly number[], into: Set<number>): void {
  for (const n of numbers) into.add(n)
  numbers.forEach((a, i) => {
    numbers.slice(i + 1).forEach((b, skip) => {
      const others = numbers.toSpliced(i + 1 + skip, 1).toSpliced(i, 1)
      for (const value of [a + b, a - b, b - a, a * b, a / b, b / a])
        combine([...others, value], into)
    })
  })
}
