import type { Measured } from '../bars.ts'
import { adder } from '../contestant.ts'
import { echelon } from '../echelon.ts'
import { median, race } from '../measure.ts'
import { looping } from '../model.ts'
import { peer } from '../peer.ts'

const setup = () => ({ model: looping({ steps: 0, tool: 'add' }), tool: adder() })

/** A new agent up to where it can run; its model and its tool are there. */
export async function build(): Promise<readonly Measured[]> {
  const make = echelon.agents(setup())
  const makePeer = peer.agents(setup())
  const times = await race([
    // What is put off until it is needed counts too.
    { name: 'echelon', once: async () => make().model },
    { name: 'ai', once: async () => makePeer() },
  ])
  return [{ bar: 'build', echelon: median(times.echelon), ai: median(times.ai) }]
}

/** An agent goes over to another provider and back, both of them loaded. */
export async function switching(): Promise<readonly Measured[]> {
  const once = echelon.switching(setup())
  const times = await race([{ name: 'echelon', once }])
  return [{ bar: 'switch', echelon: median(times.echelon) }]
}
