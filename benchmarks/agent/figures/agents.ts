import type { Measured } from '../bars.ts'
import { adder } from '../contestant.ts'
import { echelon } from '../echelon.ts'
import { median, race } from '../measure.ts'
import { looping } from '../model.ts'
import { peer } from '../peer.ts'

const setup = () => ({ model: looping({ steps: 0, tool: 'add' }), tool: adder() })

/** A new agent, its tool and its model given. */
export async function build(): Promise<readonly Measured[]> {
  const { agent } = echelon
  if (agent === undefined) return []
  const shared = setup()
  const times = await race([
    { name: 'echelon', once: async () => agent(shared) },
    { name: 'ai', once: async () => peer.agent(shared) },
  ])
  return [{ bar: 'build', echelon: median(times.echelon), ai: median(times.ai) }]
}

/** An agent goes over to another provider, whose module is loaded already. */
export async function switching(): Promise<readonly Measured[]> {
  const once = echelon.switching?.(setup())
  if (once === undefined) return []
  const times = await race([{ name: 'echelon', once }])
  return [{ bar: 'switch', echelon: median(times.echelon) }]
}
