import type { StoreBarName, StoreMeasured } from './bars.ts'

/** Ratios, with room for a machine that is busy. */
const LIMITS: Readonly<Partial<Record<StoreBarName, number>>> = {
  step: 3,
  growth: 1.3,
}

/** Guarded figures: ratios stable across machines, measured in a few seconds. */
export const STORE_GUARDED: readonly StoreBarName[] = ['step', 'growth']

/** Figures above their limit, or not a number. */
export const exceeding = (measured: readonly StoreMeasured[]): readonly StoreBarName[] =>
  measured.filter(({ bar, found }) => !(found <= (LIMITS[bar] ?? Infinity))).map(({ bar }) => bar)
