import type { BarName, Measured } from './bars.ts'
import { delta, deltaWeb } from './figures/deltas.ts'
import { bytes, growth } from './figures/growth.ts'
import { history, step, tools, turn } from './figures/turns.ts'

/** How a bar's figure is measured, in a process of its own. */
export const FIGURES: Readonly<Partial<Record<BarName, () => Promise<Measured>>>> = {
  turn,
  step,
  tools,
  delta,
  'delta-web': deltaWeb,
  history,
  growth,
  bytes,
}
