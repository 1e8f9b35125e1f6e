import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Measured } from '../bars.ts'
import { build } from '../built.ts'
import { median, ratio } from '../measure.ts'

const ROUNDS = 3

interface Waves {
  readonly ms: readonly number[]
  /** Highest memory so far, in MB. */
  readonly peaks: readonly number[]
}

/** Each in its own processes, one after another, because memory is measured too. */
export async function crowd(): Promise<readonly Measured[]> {
  const script = join(build(), 'lab/benchmarks/agent/crowd-run.js')
  const found = { echelon: none(), bare: none(), ai: none() }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['echelon', 'bare', 'ai'] as const) {
      const env = { ...process.env, NODE_ENV: 'production' }
      const printed = execFileSync(process.execPath, [script, name], { encoding: 'utf8', env })
      const { ms, peaks }: Waves = JSON.parse(printed)
      found[name].ms.push(median(ms))
      found[name].first.push(peaks[0] ?? NaN)
      found[name].last.push(peaks.at(-1) ?? NaN)
    }
  }
  const { echelon, bare, ai } = found
  return [
    {
      bar: 'crowd',
      echelon: median(echelon.ms),
      bare: median(bare.ms),
      ai: median(ai.ms),
      toAi: ratio(echelon.ms, ai.ms),
    },
    {
      bar: 'crowd-memory',
      echelon: median(echelon.first),
      bare: median(bare.first),
      ai: median(ai.first),
      note: `after five waves ${Math.round(median(echelon.last))}, ai ${Math.round(median(ai.last))}`,
    },
  ]
}

const none = (): { ms: number[]; first: number[]; last: number[] } => ({
  ms: [],
  first: [],
  last: [],
})
