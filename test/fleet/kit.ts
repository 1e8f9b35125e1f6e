import type { TestContext } from 'node:test'
import { connectFleet, type FleetLimits, startWorker, type Worker } from '@echelon/fleet'
import {
  type AgentServer,
  createServer,
  hubPerformer,
  type ServedAgent,
  type ServerOptions,
  wouldLoad,
} from '@echelon/server'
import { openStore } from '@echelon/store'
import type { Engine } from 'echelon/runtime'

export type Store = Awaited<ReturnType<typeof openStore>>
type AgentsOn = (store: Store) => readonly ServedAgent[] | Promise<readonly ServedAgent[]>

/** A server and a worker in this process, each with a store of its own on one database. */
export interface Fleet {
  readonly url: string
  readonly server: AgentServer
  readonly worker: Worker
  readonly store: Store
}

export interface FleetParts {
  readonly database: string
  readonly agentsOn: AgentsOn
  readonly limits?: FleetLimits
  /** Of the worker. */
  readonly name?: string
  readonly release?: string
  readonly options?: Partial<ServerOptions>
  /** Of the worker's store. */
  readonly giveUpAfter?: number
}

export interface WorkerHere {
  readonly worker: Worker
  readonly store: Store
  readonly stop: () => Promise<void>
}

/** Starts a worker with agents in this process. */
export async function workerHere({
  database,
  agentsOn,
  limits = {},
  name,
  release,
  giveUpAfter,
}: FleetParts): Promise<WorkerHere> {
  const store = await openStore(database, { ...(giveUpAfter !== undefined && { giveUpAfter }) })
  const agents = await agentsOn(store)
  const server = createServer({ agents, store, resumesRuns: false })
  const worker = await startWorker({
    database,
    store,
    performer: hubPerformer({ hub: server.hub, store }),
    agents: agents.map(({ definition }) => definition),
    limits,
    ...(name !== undefined && { name }),
    ...(release !== undefined && { release }),
    loads: (run) => wouldLoad(run, { hub: server.hub, store }),
  })
  return {
    worker,
    store,
    async stop() {
      await worker.stop()
      await server.stop()
      await store.close()
    },
  }
}

/** Starts a server whose runs are performed by workers. */
export async function serverHere({
  database,
  agentsOn,
  limits = {},
  options,
}: FleetParts): Promise<{ url: string; server: AgentServer; stop: () => Promise<void> }> {
  const store = await openStore(database)
  const engine = await connectFleet({ database, store, limits })
  const server = createServer({ agents: await agentsOn(store), store, engine, ...options })
  const url = await server.listen({ port: 0 })
  const stop = async (): Promise<void> => {
    await server.stop()
    await engine.close()
    await store.close()
  }
  return { url, server, stop }
}

/** Starts both for one test. */
export async function fleetHere(t: TestContext, parts: FleetParts): Promise<Fleet> {
  const { worker, store, stop: stopWorker } = await workerHere(parts)
  const { url, server, stop } = await serverHere(parts)
  t.after(async () => {
    await stop()
    await stopWorker()
  })
  return { url, server, worker, store }
}

/** The methods of an engine as an object whose properties can be replaced. */
export const asObject = (engine: Engine): Engine => ({
  start: (order) => engine.start(order),
  schedule: (order, at) => engine.schedule(order, at),
  answer: (run, answer) => engine.answer(run, answer),
  cancel: (run, by) => engine.cancel(run, by),
  status: (run) => engine.status(run),
  close: () => engine.close(),
})
