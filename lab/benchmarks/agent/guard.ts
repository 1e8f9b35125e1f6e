import type { BarName, Measured } from './bars.ts'

/** What is guarded. Each takes a few seconds, and holds its ratio on any machine. */
export const GUARDED: readonly BarName[] = ['turn', 'step', 'delta', 'growth', 'bytes', 'given']

/** Those whose time is one of reading and copying messages, which the bare loop does not do. */
export const BESIDE_PEER: readonly BarName[] = ['given']

/** Above what was measured, as a share: machines are noisy, and ratios hold within 15 %. */
const HEADROOM = 0.3

export interface Limit {
  readonly measured: number
  readonly most: number
}

export type Limits = Readonly<Partial<Record<BarName, Limit>>>

/** The figure that holds on any machine: times as a ratio to somebody else's, ratios as they are. */
export const guarded = ({ bar, toAi, toBare, echelon }: Measured): number =>
  (BESIDE_PEER.includes(bar) ? toAi : toBare) ?? echelon

/** Those above their limit, or without one. */
export const exceeding = (measured: readonly Measured[], limits: Limits): readonly Measured[] =>
  measured.filter((one) => !(guarded(one) <= (limits[one.bar]?.most ?? NaN)))

/** New limits, as far above what was measured as machines are noisy. */
export const limitsOf = (measured: readonly Measured[]): Limits =>
  Object.fromEntries(measured.map((one) => [one.bar, limitOf(guarded(one))]))

const limitOf = (found: number): Limit => ({
  measured: rounded(found),
  most: rounded(found * (1 + HEADROOM)),
})

const rounded = (value: number): number => Number(value.toPrecision(3))
