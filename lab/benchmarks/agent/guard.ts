import type { BarName, Measured } from './bars.ts'

/** Guarded figures. Each takes a few seconds, and its ratio is stable across machines. */
export const GUARDED: readonly BarName[] = ['turn', 'step', 'delta', 'growth', 'bytes', 'given']

/** Figures dominated by reading and copying messages, which the bare loop does not do. */
export const BESIDE_PEER: readonly BarName[] = ['given']

/** Margin above the measured figure, since ratios repeat only within 15 %. */
const HEADROOM = 0.3

export interface Limit {
  readonly measured: number
  readonly most: number
}

export type Limits = Readonly<Partial<Record<BarName, Limit>>>

/** A figure comparable across machines: times become ratios, ratios stay. */
export const guarded = ({ bar, toAi, toBare, echelon }: Measured): number =>
  (BESIDE_PEER.includes(bar) ? toAi : toBare) ?? echelon

/** Figures above their limit, or without one. */
export const exceeding = (measured: readonly Measured[], limits: Limits): readonly Measured[] =>
  measured.filter((one) => !(guarded(one) <= (limits[one.bar]?.most ?? NaN)))

/** New limits, with the margin above the measured figures. */
export const limitsOf = (measured: readonly Measured[]): Limits =>
  Object.fromEntries(measured.map((one) => [one.bar, limitOf(guarded(one))]))

const limitOf = (found: number): Limit => ({
  measured: rounded(found),
  most: rounded(found * (1 + HEADROOM)),
})

const rounded = (value: number): number => Number(value.toPrecision(3))
