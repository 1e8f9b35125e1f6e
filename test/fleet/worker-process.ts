/**
 * A process for tests that kill workers. Loading takes longer than starting a worker, so it loads first, and is told
 * what to do: to start a worker, or to stop it and be free for another test.
 */
import { flushCompileCache } from 'node:module'
import type { FleetLimits } from '@echelon/fleet'
import { busyAgent, type BusyRelease } from './busy-agent.ts'
import { deadlyAgent } from './deadly-agent.ts'
import { type WorkerHere, workerHere } from './kit.ts'

/** A message to a worker process. */
export type WorkerOrder =
  | {
      readonly type: 'work'
      readonly database: string
      readonly name: string
      /** The file of its actions. */
      readonly actions: string
      readonly limits: FleetLimits
      readonly release?: BusyRelease
      readonly giveUpAfter?: number
    }
  | { readonly type: 'rest' }

let here: WorkerHere | undefined

async function follow(order: WorkerOrder): Promise<void> {
  switch (order.type) {
    case 'work': {
      const { database, name, limits, actions, release, giveUpAfter } = order
      const agentsOn: Parameters<typeof workerHere>[0]['agentsOn'] = (store) => [
        busyAgent(store, actions, release),
        deadlyAgent(store),
      ]
      here = await workerHere({
        database,
        name,
        limits,
        agentsOn,
        ...(release && { release: release.name }),
        ...(giveUpAfter !== undefined && { giveUpAfter }),
      })
      return
    }
    case 'rest':
      await here?.stop()
      here = undefined
  }
}

process.on('message', (order: WorkerOrder) => {
  follow(order).then(
    () => process.send?.('done'),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
// The test is over, whatever ended it.
process.on('disconnect', () => process.exit())
// A process that is killed writes no cache at its end.
flushCompileCache()
process.send?.('done')
