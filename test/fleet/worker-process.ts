/** A worker in a process of its own, for tests that kill it: `worker-process.ts DATABASE NAME ACTIONS`. */
import { busyAgent } from './busy-agent.ts'
import { workerHere } from './kit.ts'

const [, , database = '', name = '', actions = ''] = process.argv
const { worker } = await workerHere({
  database,
  name,
  agentsOn: (store) => [busyAgent(store, actions)],
})
process.send?.(worker.name)
