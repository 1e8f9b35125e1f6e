import { DBOSClient, type WorkflowStatus } from '@dbos-inc/dbos-sdk'
import {
  type Engine,
  type RunAnswer,
  type RunOrder,
  type RunPlace,
  EchelonError,
} from 'echelon/runtime'
import { type OrderStore, placeOfRun, type RunStore } from 'echelon/internal/store'
import { createQueues } from '../create-queues.ts'
import { fleetDatabase } from '../database-address.ts'
import {
  admissionId,
  againPrefix,
  APPLICATION,
  enqueued,
  firstLeg,
  isLive,
  type LegRequest,
  resumeId,
  versionOf,
} from '../leg.ts'
import { checkLimits, type FleetLimits, isAdmission, OPENED, queuesOf } from '../limits.ts'
import { type FleetLog, quietLogger } from '../logger.ts'
import { placeOfLeg } from './place-of-leg.ts'

export interface FleetOptions {
  /** Address of the PostgreSQL database, such as `postgres://user:password@host/name`. */
  readonly database: string
  /** A store in PostgreSQL. */
  readonly store: {
    readonly runs: Pick<RunStore, 'find' | 'reply' | 'askToCancel'>
    readonly orders?: OrderStore
  }
  readonly limits?: FleetLimits
  /** The release whose workers begin the runs that are started here. Default: all workers are of one release. */
  readonly release?: string
  /** Receives warnings of the engine. */
  readonly log?: FleetLog
}

/** An engine whose legs are performed by the workers on its database. */
export interface FleetEngine extends Engine {
  /** Lets a run continue that is due for another reason than an answer. @param why once for each reason */
  resume(run: string, why: string): Promise<void>
  /**
   * Lets a due run continue that no leg takes up. A reason whose legs are all over, as by an error, gets a new
   * one, after a pause that doubles each time up to an hour.
   */
  resumeDue(run: string, why: string): Promise<void>
}

/** Longer than the wait for the next millisecond. */
const CLOCK_STEP_MS = 20
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 3_600_000

/**
 * Connects to the queues of a fleet, in a process that performs nothing itself, such as a server.
 * @throws EchelonError INVALID_CONFIG for a store that is not in PostgreSQL, STORE_UNUSABLE if the database cannot
 * be reached
 */
export async function connectFleet(options: FleetOptions): Promise<FleetEngine> {
  const { database, limits = {}, log } = options
  const orders = ordersOf(options.store)
  checkLimits(limits)
  let client: DBOSClient | undefined
  try {
    const at = fleetDatabase(database)
    await createQueues(at)
    client = await DBOSClient.create({
      systemDatabaseUrl: at.engineUrl,
      systemDatabaseSchemaName: at.queues,
      applicationName: APPLICATION,
      logger: quietLogger(log),
    })
    await registerQueues(client, limits)
    return new QueueEngine(client, { ...options, orders })
  } catch (cause) {
    await client?.destroy()
    throw new EchelonError(
      'STORE_UNUSABLE',
      'the queues of the database cannot be opened; check its address, and that it runs',
      { cause },
    )
  }
}

/** Legs stay in the queue of a principal whose limits were removed, so it is opened instead of deleted. */
async function registerQueues(client: DBOSClient, limits: FleetLimits): Promise<void> {
  const queues = queuesOf(limits)
  for (const [name, queue] of queues) await client.registerQueue(name, queue)
  for (const { name } of await client.listQueues()) {
    if (isAdmission(name) && !queues.has(name)) await client.registerQueue(name, OPENED)
  }
}

/** @throws EchelonError INVALID_CONFIG for a store that is not in PostgreSQL */
export function ordersOf({ orders }: FleetOptions['store']): OrderStore {
  if (orders !== undefined) return orders
  throw new EchelonError(
    'INVALID_CONFIG',
    'the workers of a fleet share a store in PostgreSQL; open it with the address of the database',
  )
}

interface EngineParts extends FleetOptions {
  readonly orders: OrderStore
}

class QueueEngine implements FleetEngine {
  readonly #client: DBOSClient
  readonly #options: EngineParts
  readonly #version: string
  #lastAt = 0
  #closing: Promise<void> | undefined

  constructor(client: DBOSClient, options: EngineParts) {
    this.#client = client
    this.#options = options
    this.#version = versionOf(options.release)
  }

  async start(order: RunOrder): Promise<void> {
    await this.#options.orders.put(order, Date.now())
    await this.#enqueue(firstLeg(order, this.#version))
  }

  async schedule(order: RunOrder, at: number): Promise<void> {
    await this.#options.orders.put(order, at)
    await this.#enqueue({ ...firstLeg(order, this.#version), at })
  }

  async answer(run: string, { request, reply, by }: RunAnswer): Promise<void> {
    // Looked up meanwhile: somebody waits for the run to go on.
    const [first] = await Promise.all([
      this.#firstFlow(run),
      this.#options.store.runs.reply(run, request, reply, by),
    ])
    await this.#resume(run, request, first)
  }

  async cancel(run: string, by: 'user' | 'shutdown' = 'user'): Promise<boolean> {
    const { runs } = this.#options.store
    if ((await runs.find(run)) === undefined) {
      const isDropped = await this.#drop(run)
      // A worker may have begun it meanwhile.
      if ((await runs.find(run)) === undefined) return isDropped
    }
    const isOpen = await runs.askToCancel(run, by)
    if (isOpen) await this.resume(run, `cancel-${Date.now()}`)
    return isOpen
  }

  async resume(run: string, why: string): Promise<void> {
    await this.#resume(run, why, await this.#firstFlow(run))
  }

  async resumeDue(run: string, why: string): Promise<void> {
    const before = await this.#client.listWorkflows({
      workflow_id_prefix: resumeId(run, why),
      loadInput: false,
      loadOutput: false,
    })
    if (before.some(isLive)) return
    // A leg that went back to its queue, or was admitted, is still the same try.
    const tries = before.filter(({ workflowID }) => !/:(?:again|admission)/.test(workflowID)).length
    if (tries === 0) return this.resume(run, why)
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS)
    const ended = Math.max(...before.map(({ completedAt = 0 }) => completedAt))
    if (Date.now() < ended + pauseMs) return
    await this.resume(run, `${why}-${tries}`)
  }

  async #resume(run: string, why: string, first: WorkflowStatus | undefined): Promise<void> {
    const partition =
      first?.queuePartitionKey ?? (await this.#options.store.runs.find(run))?.session ?? run
    await this.#enqueue({
      id: resumeId(run, why),
      run,
      begins: false,
      partition,
      // It stays with the release that began it. If that has no workers any more, another one adopts it.
      version: first?.applicationVersion ?? this.#version,
      // DBOS gives an empty name for none.
      principal: first?.authenticatedUser || undefined,
    })
  }

  async status(run: string): Promise<RunPlace | undefined> {
    const summary = await this.#options.store.runs.find(run)
    if (summary !== undefined && summary.status !== 'interrupted')
      return placeOfRun(summary, Date.now())
    const flow = await this.#lastFlow(run)
    if (flow === undefined) return summary && placeOfRun(summary, Date.now())
    const place = placeOfLeg(flow, await this.#options.orders.find(run))
    // It has left a journal: it ends when that does.
    return summary !== undefined && place.type !== 'failed' ? { type: 'queued' } : place
  }

  close(): Promise<void> {
    this.#closing ??= this.#client.destroy()
    return this.#closing
  }

  /** The workflow of a run's first leg; while it waits for its principal's limits, the one that admits it. */
  async #firstFlow(run: string): Promise<WorkflowStatus | undefined> {
    return (
      (await this.#client.getWorkflow(run)) ?? (await this.#client.getWorkflow(admissionId(run)))
    )
  }

  /** The same, or the last one that followed it because it went back to its queue. */
  async #lastFlow(run: string): Promise<WorkflowStatus | undefined> {
    const first = await this.#firstFlow(run)
    if (first === undefined || isLive(first)) return first
    const [last] = await this.#client.listWorkflows({
      workflow_id_prefix: againPrefix(run),
      sortDesc: true,
      limit: 1,
    })
    return last ?? first
  }

  /** Takes a run that has not begun out of its queue. @throws EchelonError UNKNOWN_RUN */
  async #drop(run: string): Promise<boolean> {
    const flow = await this.#lastFlow(run)
    if (flow === undefined) {
      throw new EchelonError(
        'UNKNOWN_RUN',
        `there is no run ${run}; list the runs to see their ids`,
      )
    }
    const { type } = placeOfLeg(flow, undefined)
    if (type === 'ended' || type === 'failed') return false
    await this.#client.cancelWorkflow(flow.workflowID)
    // An admission may have enqueued its leg meanwhile, and a leg may have gone back to its queue.
    const next = await this.#lastFlow(run)
    if (next !== undefined && next.workflowID !== flow.workflowID && isLive(next)) {
      await this.#drop(run)
    }
    return true
  }

  async #enqueue(leg: LegRequest): Promise<void> {
    await this.#nextMoment()
    const { limits = {} } = this.#options
    const options = enqueued(leg, limits)
    await this.#client.enqueue(options, options.workflowID === leg.id ? leg : { ...leg, at: 0 })
  }

  /** Legs of a session are ordered by the millisecond in which they were enqueued. */
  async #nextMoment(): Promise<void> {
    const until = performance.now() + CLOCK_STEP_MS
    // A clock that was set back would hold everything up until it caught up.
    while (Date.now() <= this.#lastAt && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    this.#lastAt = Date.now()
  }
}
