import type { Measured } from '../bars.ts'
import { compare } from '../compare.ts'
import { adder } from '../contestant.ts'
import { streaming } from '../model.ts'

const DELTAS = 1000

/**
 * Node's web streams cost more than all the rest, so the variant without one is measured separately. The
 * peer accepts only a web stream, and is measured with one both times.
 */
export const delta = (): Promise<readonly Measured[]> =>
  compare({
    bar: 'delta',
    how: 'stream',
    setup: (name) => ({
      model: streaming(DELTAS, name === 'ai' ? 'web-stream' : 'iterator'),
      tool: adder(),
    }),
    expected: { modelCalls: 1, toolCalls: 0, deltas: DELTAS },
    race: { per: DELTAS },
    note: 'ai out of a web stream',
  })

export const deltaWeb = (): Promise<readonly Measured[]> =>
  compare({
    bar: 'delta-web',
    how: 'stream',
    setup: () => ({ model: streaming(DELTAS, 'web-stream'), tool: adder() }),
    expected: { modelCalls: 1, toolCalls: 0, deltas: DELTAS },
    race: { per: DELTAS },
  })
