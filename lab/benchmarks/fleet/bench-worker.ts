import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import { type LegEnd, type Performer, type RunOrder } from 'echelon/runtime'
import { startWorker, type Worker } from '@echelon/fleet'
import { createServer, hubPerformer } from '@echelon/server'
import { openStore } from '@echelon/store'
import { steppingAgent, workOfAStep } from './stepping-agent.ts'

export type Store = Awaited<ReturnType<typeof openStore>>

/** A worker of this process, and a bare workflow of DBOS beside it in the same queue. */
export interface BenchWorker {
  readonly store: Store
  readonly worker: Worker
  /** Starts runs of so many steps, and waits until all have ended. */
  perform(runs: number, steps: number): Promise<void>
  /** The same, by workflows whose steps are those of DBOS. */
  performBare(runs: number, steps: number): Promise<void>
  /** Starts runs that ask after one step, and waits until they wait. */
  startAsking(runs: number): Promise<readonly string[]>
  /** Answers a run. @returns milliseconds until it goes on in the worker */
  answer(run: string): Promise<number>
  stop(): Promise<void>
}

const BARE = 'bare'

/** Starts it on a database, with the default limits and polling. */
export async function benchWorker(database: string): Promise<BenchWorker> {
  const store = await openStore(database)
  const server = createServer({ agents: [steppingAgent(store)], store, resumesRuns: false })
  const bare = new Countdown()
  DBOS.registerWorkflow(
    async (steps: number) => {
      for (let step = 0; step < steps; step++) await DBOS.runStep(workOfAStep, { name: 'work' })
      bare.count()
    },
    { name: BARE },
  )
  const performer = new WatchedPerformer(hubPerformer({ hub: server.hub, store }))
  const worker = await startWorker({ database, store, performer, agents: ['stepping'] })
  const client = await DBOSClient.create({
    systemDatabaseUrl: database,
    applicationName: 'echelon',
  })
  return {
    store,
    worker,
    async perform(runs, steps) {
      const over = performer.ended.from(runs)
      await atOnce(runs, () => worker.engine.start(orderOf(String(steps))))
      await over
    },
    async performBare(runs, steps) {
      const over = bare.from(runs)
      await atOnce(runs, async () => {
        const id = crypto.randomUUID()
        await client.enqueue(
          {
            workflowName: BARE,
            queueName: 'legs',
            workflowID: id,
            queuePartitionKey: id,
            appVersion: DBOS.applicationVersion,
          },
          steps,
        )
      })
      await over
    },
    async startAsking(runs) {
      const orders = Array.from({ length: runs }, () => orderOf('1?'))
      for (const order of orders) await worker.engine.start(order)
      for (const { run } of orders) {
        while ((await worker.engine.status(run))?.type !== 'waiting') await workOfAStep()
      }
      return orders.map(({ run }) => run)
    },
    async answer(run) {
      const request = (await store.runs.find(run))?.requests[0]?.id ?? ''
      const began = performance.now()
      const resumed = performer.resumed(run)
      await worker.engine.answer(run, { request, reply: 'yes' })
      return (await resumed) - began
    },
    async stop() {
      await client.destroy()
      await worker.stop()
      await server.stop()
      await store.close()
    },
  }
}

const orderOf = (text: string): RunOrder => ({
  run: crypto.randomUUID(),
  task: {
    agent: 'stepping',
    input: { text },
    context: { caller: 'bench' },
    held: { maxCost: null, at: Date.now() },
  },
})

/** Starts runs from so many clients at once. */
const CLIENTS = 8

async function atOnce(count: number, start: () => Promise<void>): Promise<void> {
  let left = count
  const client = async (): Promise<void> => {
    while (left-- > 0) await start()
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/** Resolves when so many have been counted. */
class Countdown {
  #left = 0
  #over = Promise.withResolvers<void>()

  from(count: number): Promise<void> {
    this.#left = count
    this.#over = Promise.withResolvers()
    return this.#over.promise
  }

  count(): void {
    this.#left--
    if (this.#left === 0) this.#over.resolve()
  }
}

/** Tells when runs end, and when they go on. */
class WatchedPerformer implements Performer {
  readonly ended: Countdown = new Countdown()
  readonly #inner: Performer
  readonly #resumes = new Map<string, (at: number) => void>()

  constructor(inner: Performer) {
    this.#inner = inner
  }

  resumed(run: string): Promise<number> {
    return new Promise((resolve) => this.#resumes.set(run, resolve))
  }

  async begin(order: RunOrder): Promise<LegEnd> {
    const end = await this.#inner.begin(order)
    if (end.type === 'ended') this.ended.count()
    return end
  }

  async resume(run: string): Promise<LegEnd> {
    this.#resumes.get(run)?.(performance.now())
    this.#resumes.delete(run)
    return this.#inner.resume(run)
  }

  release(): void {
    this.#inner.release()
  }
}
