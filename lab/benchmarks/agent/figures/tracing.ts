import type { Tracing } from '../../../../packages/echelon/src/core/observability/tracing.ts'
import { openTelemetry } from '@echelon/telemetry'
import type { Measured } from '../bars.ts'
import { adder } from '../contestant.ts'
import { echelon } from '../echelon.ts'
import { median, race } from '../measure.ts'
import { ANSWER, looping } from '../model.ts'

/** A traced turn without a registered SDK, against an untraced one. */
export async function tracing(): Promise<readonly Measured[]> {
  const telemetry = await openTelemetry()
  let begun = 0
  const counted: Tracing = {
    begin(run) {
      const span = telemetry.begin(run)
      if (span !== undefined) throw new Error('tracing: an SDK is registered')
      begun++
      return span
    },
  }
  const setup = () => ({ model: looping({ steps: 0, tool: 'add' }), tool: adder() })
  const within = echelon.prepare({ ...setup(), tracing: counted })
  const without = echelon.prepare(setup())
  if ((await within.run('go')) !== ANSWER || begun !== 1) throw new Error('tracing: it did not run')
  const times = await race([
    { name: 'within', once: () => within.run('go') },
    { name: 'without', once: () => without.run('go') },
  ])
  const differences = times.within.map((time, round) => time - (times.without[round] ?? NaN))
  return [{ bar: 'tracing', echelon: median(differences) }]
}
