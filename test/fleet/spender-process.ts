/**
 * A server and a worker in a process of their own, for the test of money: orders runs of one principal, each as soon
 * as there is money for it, until what is left pays for no more.
 */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { createAgent } from 'echelon'
import { asBound, scriptedModel } from 'echelon/testing'
import { HttpProblem, serveChat } from '@echelon/server'
import { serverHere, type Store, workerHere } from './kit.ts'

export const SPENDER = { name: 'ada', usdPerDay: 1, usdPerRun: 0.07 }
/** The cost of a run; the rest of its reservation is returned. */
export const COST = 0.057

/** The report of a process. */
export interface Spent {
  /** Runs that cost something. */
  readonly paid: readonly string[]
  /** Number of times that others held the money. */
  readonly refused: number
}

const HELD_PAUSE_MS = 20

const agentsOn = (store: Store) => {
  const model = asBound(scriptedModel([], { beyond: () => 'Done.' }), 'test/paid', () => COST)
  return [serveChat(createAgent({ name: 'chat', model, store }), { description: 'Costs money.' })]
}

async function spend(database: string, name: string): Promise<void> {
  const parts = { database, name, agentsOn }
  const worker = await workerHere(parts)
  const { server, stop } = await serverHere(parts)
  const agent = server.hub.agent('chat', SPENDER)
  const paid: string[] = []
  let refused = 0
  process.send?.('ready')
  await new Promise((resolve) => process.once('message', resolve))
  const left = async (): Promise<number> =>
    SPENDER.usdPerDay - (await server.context.spending.spentOn(SPENDER.name, Date.now())).spent
  while ((await left()) >= COST) {
    try {
      const run = await server.hub.start(agent, { text: 'Go' }, { principal: SPENDER })
      const end = await run.outcome
      // The rest of a day may be less than a run costs, while others hold more than theirs will.
      if (end?.cost === COST) paid.push(run.id)
      else assert.equal(end?.cost, 0)
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status !== 429) throw error
      refused++
      await wait(HELD_PAUSE_MS)
    }
  }
  process.send?.({ paid, refused } satisfies Spent)
  // Others' runs may be here.
  await new Promise((resolve) => process.once('message', resolve))
  await stop()
  await worker.stop()
}

if (import.meta.main) {
  const [, , database = '', name = ''] = process.argv
  process.on('disconnect', () => process.exit())
  await spend(database, name)
  process.disconnect()
}
