import type { StoreBarName, StoreMeasured } from './bars.ts'

/** Ratios, with room for a machine that is busy. */
const LIMITS: Readonly<Partial<Record<StoreBarName, number>>> = {
  step: 3,
  growth: 1.3,
}

/** What is guarded: it holds its ratio on any machine, and takes a few seconds. */
export const STORE_GUARDED: readonly StoreBarName[] = ['step', 'growth']

/** Those above their limit; a figure that is no number is. */
export const exceeding = (measured: readonly StoreMeasured[]): readonly StoreBarName[] =>
  measured.filter(({ bar, found }) => !(found <= (LIMITS[bar] ?? Infinity))).map(({ bar }) => bar)
