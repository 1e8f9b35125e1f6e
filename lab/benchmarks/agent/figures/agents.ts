import type { Measured } from '../bars.ts'
import { adder } from '../contestant.ts'
import { echelon } from '../echelon.ts'
import { median, race } from '../measure.ts'
import { looping } from '../model.ts'
import { peer } from '../peer.ts'

const setup = () => ({ model: looping({ steps: 0, tool: 'add' }), tool: adder() })

/** Creates an agent that is ready to run, with existing model and tool. */
export async function build(): Promise<readonly Measured[]> {
  const make = echelon.agents(setup())
  const makePeer = peer.agents(setup())
  const times = await race([
    // Lazy initialization counts too.
    { name: 'echelon', once: async () => make().model },
    { name: 'ai', once: async () => makePeer() },
  ])
  return [{ bar: 'build', echelon: median(times.echelon), ai: median(times.ai) }]
}

/** Switches an agent to another provider and back, both loaded. */
export async function switching(): Promise<readonly Measured[]> {
  const once = echelon.switching(setup())
  const times = await race([{ name: 'echelon', once }])
  return [{ bar: 'switch', echelon: median(times.echelon) }]
}
