import type { BarName, Measured } from '../bars.ts'
import { compare } from '../compare.ts'
import { adder } from '../contestant.ts'
import { streaming } from '../model.ts'

const DELTAS = 1000

const deltas = (bar: BarName, source: Parameters<typeof streaming>[1]): Promise<Measured> =>
  compare({
    bar,
    how: 'stream',
    setup: () => ({ model: streaming(DELTAS, source), tool: adder() }),
    expected: { modelCalls: 1, toolCalls: 0, deltas: DELTAS },
    race: { per: DELTAS },
  })

/** Node's web streams cost more than all the rest, so the way without one is measured alone. */
export const delta = (): Promise<Measured> => deltas('delta', 'iterator')

export const deltaWeb = (): Promise<Measured> => deltas('delta-web', 'web-stream')
