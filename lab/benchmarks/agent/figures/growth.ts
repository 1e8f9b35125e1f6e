import { bare } from '../bare.ts'
import type { Measured } from '../bars.ts'
import { adder, type Contestant } from '../contestant.ts'
import { echelon } from '../echelon.ts'
import { median } from '../measure.ts'
import { looping } from '../model.ts'
import { entered } from '../options.ts'
import { peer } from '../peer.ts'

const STEPS = 200
const SPAN = 20
const WARM_MS = 1500
const TIMED_MS = 2500

/** Time of the last steps of a long loop relative to the first ones. */
export async function growth(): Promise<readonly Measured[]> {
  const found = new Map<string, Grown>()
  for (const contestant of entered([echelon, bare, peer])) {
    found.set(contestant.name, await grown(contestant))
  }
  const { late = NaN, times = NaN } = found.get('echelon') ?? {}
  const [byBare, byPeer] = [found.get('bare'), found.get('ai')]
  const peers = byPeer === undefined ? '' : `, one of ai ${byPeer.late.toFixed(0)}`
  return [
    {
      bar: 'growth',
      echelon: times,
      ...(byPeer && { ai: byPeer.times }),
      ...(byBare && { bare: byBare.times }),
      note: `a late step takes ${late.toFixed(1)} µs${peers}`,
    },
  ]
}

interface Grown {
  /** Ratio of late steps to early ones. */
  readonly times: number
  /** Microseconds of a late step. */
  readonly late: number
}

async function grown(contestant: Contestant): Promise<Grown> {
  const at: number[] = []
  const model = looping({
    steps: STEPS,
    tool: 'add',
    onCall: (call) => (at[call] = performance.now()),
  })
  const runner = contestant.prepare({ model, tool: adder() })
  const spans: { early: number; late: number }[] = []
  const began = performance.now()
  for (let now = began; now - began < WARM_MS + TIMED_MS; now = performance.now()) {
    await runner.run('go')
    const span = (from: number): number =>
      (((at[from + SPAN] ?? NaN) - (at[from] ?? NaN)) * 1000) / SPAN
    if (now - began > WARM_MS) spans.push({ early: span(0), late: span(STEPS - SPAN) })
  }
  return {
    times: median(spans.map(({ early, late }) => late / early)),
    late: median(spans.map(({ late }) => late)),
  }
}

/** A run appends only new entries, so twice the steps are twice the bytes. */
export async function bytes(): Promise<readonly Measured[]> {
  const of = (steps: number): Promise<number> =>
    echelon.journalBytes({ model: looping({ steps, tool: 'add' }), tool: adder() })
  const [half, whole] = [await of(50), await of(100)]
  return [{ bar: 'bytes', echelon: whole / half, note: `${Math.round(whole / 100)} B a step` }]
}
