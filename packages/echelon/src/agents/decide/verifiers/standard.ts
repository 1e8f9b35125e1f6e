import { confirmedBy, type SecondReader } from '../verification/second-reader.ts'
import type { Verifier } from '../verification/verifier.ts'
import { arithmetic, type MathClaim } from './arithmetic/arithmetic.ts'
import { type CalendarClaim, dates } from './dates/dates.ts'
import { stock, type StockClaim } from './stock/stock.ts'

export type StandardClaim = MathClaim | CalendarClaim | StockClaim

/**
 * The verifiers that come with Echelon, in the order in which they are asked: price questions come first, then
 * dates, since both hold numbers. They read English.
 * @param second must read a question alike; without one, a single reading is enough
 */
export function standardVerifiers(second?: SecondReader): readonly Verifier<StandardClaim>[] {
  if (second === undefined) return [stock, dates, arithmetic]
  return [confirmedBy(second, stock), confirmedBy(second, dates), confirmedBy(second, arithmetic)]
}
