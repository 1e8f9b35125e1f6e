/** A worker in a process of its own, for tests that kill it: `worker-process.ts DATABASE NAME ACTIONS LIMITS`. */
import { busyAgent } from './busy-agent.ts'
import { workerHere } from './kit.ts'

const [, , database = '', name = '', actions = '', limits = '{}'] = process.argv
const { worker } = await workerHere({
  database,
  name,
  limits: JSON.parse(limits),
  agentsOn: (store) => [busyAgent(store, actions)],
})
process.send?.(worker.name)
