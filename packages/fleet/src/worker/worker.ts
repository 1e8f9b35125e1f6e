import { DBOS } from '@dbos-inc/dbos-sdk'
import { EchelonError, type Host, type Performer, startHost, systemClock } from 'echelon/runtime'
import { Suspects } from 'echelon/internal/runtime'
import type { OrderStore, RunStore, RunSummary } from 'echelon/internal/store'
import { connectFleet, type FleetEngine, ordersOf } from '../engine/fleet-engine.ts'
import { fleetDatabase } from '../database-address.ts'
import { APPLICATION, type LegOutcome, type LegRequest, versionOf } from '../leg.ts'
import type { FleetLimits } from '../limits.ts'
import { type FleetLog, quietLogger } from '../logger.ts'
import { Beats } from '../beats.ts'
import { Adoption } from './adoption.ts'
import { ExecutorLock } from './executor-lock.ts'
import { performLeg } from './perform-leg.ts'
import { QueueRows } from './queue-rows.ts'
import { Reaper } from './reaper.ts'
import { deleteOldLegs } from './retention.ts'
import { registerWorkflows } from './workflows.ts'

export interface WorkerOptions {
  /** Address of the PostgreSQL database. */
  readonly database: string
  /** A store in PostgreSQL. */
  readonly store: {
    readonly runs: Pick<RunStore, 'due' | 'find' | 'read' | 'giveUpAfter' | 'reply' | 'askToCancel'>
    readonly orders?: OrderStore
  }
  readonly performer: Performer
  /** Names of the agents whose runs this worker may resume. */
  readonly agents: readonly string[]
  /**
   * Its name, the same after each restart, by which it takes its legs up again. Default: the host's name with
   * the first free number.
   */
  readonly name?: string
  readonly limits?: FleetLimits
  /**
   * The release that this worker runs, such as the tag of its image. It takes only the runs that this release began,
   * and those of releases without workers that `loads` accepts. Default: all workers are of one release.
   */
  readonly release?: string
  /** Whether a run of the store would load here. Default: all do. */
  readonly loads?: (run: string) => Promise<boolean>
  /** Ended legs are deleted after so many days. Default 30. */
  readonly keepDays?: number
  readonly log?: FleetLog
}

/** A worker of a fleet. */
export interface Worker {
  readonly name: string
  /** Starts runs on the fleet. */
  readonly engine: FleetEngine
  /** Legs of vanished workers that this one has put back. */
  readonly recovered: number
  /** Why it does not take legs; `undefined` while it does. */
  problem(): string | undefined
  /** Takes no more legs, and lets go of its runs, which other workers continue. */
  stop(): Promise<void>
}

const KEEP_DAYS = 30
const DAY_MS = 86_400_000
const CLEAN_MS = 3_600_000
/** Interval between two searches for due runs that are in no queue, such as one answered by a command. */
const SWEEP_MS = 5000
const STOP_WITHIN_MS = 20_000
const CANCEL_PAUSE_MS = 50

/**
 * Starts a worker in this process. There is one of them in a process.
 * @throws EchelonError INVALID_CONFIG for a name that is taken, STORE_UNUSABLE without a database
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  if (DBOS.isInitialized()) {
    throw new EchelonError('INVALID_CONFIG', 'this process is a worker already; start one in each')
  }
  const { database, store, limits = {}, log = () => undefined } = options
  const engine = await connectFleet({
    database,
    store,
    limits,
    log,
    ...(options.release !== undefined && { release: options.release }),
  })
  const at = fleetDatabase(database)
  const lock = new ExecutorLock(at, log)
  const rows = new QueueRows(at)
  const beats = new Beats(at)
  try {
    const name = await lock.take(options.name)
    // It counts as alive before it takes its first leg.
    await beats.beat(name, versionOf(options.release))
    const suspects = new Suspects(systemClock)
    await launch(name, { rows, suspects }, options)
    return new FleetWorker(options, { name, lock, rows, suspects, beats, engine, log })
  } catch (error) {
    await lock.close()
    await rows.close()
    await beats.close()
    await engine.close()
    throw error
  }
}

interface LegParts {
  readonly rows: QueueRows
  readonly suspects: Suspects
}

async function launch(name: string, parts: LegParts, options: WorkerOptions): Promise<void> {
  const { database, store, performer, limits = {}, log } = options
  const { engineUrl, queues } = fleetDatabase(database)
  registerWorkflows({
    limits,
    perform: (leg, canceled) => performed(leg, canceled, { store, performer, ...parts }),
  })
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: engineUrl,
    systemDatabaseSchemaName: queues,
    // The engine of this process has done it.
    runMigrations: false,
    executorID: name,
    applicationVersion: versionOf(options.release),
    logger: quietLogger(log),
    // It listens to all queues there are, also those that a server with other limits has opened since.
  })
  await DBOS.launch()
}

async function performed(
  leg: LegRequest,
  canceled: AbortSignal,
  { store, performer, ...parts }: Pick<WorkerOptions, 'store' | 'performer'> & LegParts,
): Promise<LegOutcome> {
  const { runs } = store
  const over = new AbortController()
  const cancel = (): void => void askToCancel(leg.run, runs, over.signal)
  canceled.addEventListener('abort', cancel, { once: true })
  try {
    return await performLeg(leg, { performer, runs, orders: ordersOf(store), canceled, ...parts })
  } finally {
    over.abort()
    canceled.removeEventListener('abort', cancel)
  }
}

/** Asks a run to cancel that was canceled just when it began: its record may come a moment later. Never rejects. */
async function askToCancel(
  run: string,
  runs: WorkerOptions['store']['runs'],
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      await runs.askToCancel(run)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, CANCEL_PAUSE_MS))
    }
  }
}

interface WorkerParts extends LegParts {
  readonly name: string
  readonly lock: ExecutorLock
  readonly beats: Beats
  readonly engine: FleetEngine
  readonly log: FleetLog
}

class FleetWorker implements Worker {
  readonly name: string
  readonly engine: FleetEngine
  recovered = 0
  readonly #options: WorkerOptions
  readonly #parts: WorkerParts
  readonly #reaper: Reaper
  readonly #sweep: Host
  readonly #cleaning: ReturnType<typeof setInterval>
  #stopping: Promise<void> | undefined

  constructor(options: WorkerOptions, parts: WorkerParts) {
    const { name, engine, lock, rows, beats, log } = parts
    const version = versionOf(options.release)
    const { loads = () => Promise.resolve(true) } = options
    this.name = name
    this.engine = engine
    this.#options = options
    this.#parts = parts
    const onProblem = (problem: unknown): void =>
      log(problem instanceof Error ? problem.message : String(problem))
    this.#reaper = new Reaper({
      lock,
      rows,
      beats,
      adoption: new Adoption({ rows, version, loads, log }),
      own: name,
      version,
      onProblem,
      onRecovered: (legs, worker) => {
        this.recovered += legs
        log(`the worker ${worker} has vanished; ${legs} of its legs are queued again`)
      },
    })
    this.#sweep = sweepOf(options, engine, onProblem)
    const clean = (): void => void this.#clean().catch(onProblem)
    this.#cleaning = setInterval(clean, CLEAN_MS).unref()
  }

  problem(): string | undefined {
    if (this.#stopping !== undefined) return 'the worker is stopping'
    if (this.#parts.lock.lostAt !== undefined) return 'the database cannot be reached'
    return undefined
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    clearInterval(this.#cleaning)
    this.#parts.suspects.close()
    await Promise.all([this.#reaper.stop(), this.#sweep.stop(0)])
    const down = DBOS.shutdown({ workflowCompletionTimeoutMS: STOP_WITHIN_MS })
    this.#options.performer.release()
    await down
    await this.#parts.lock.close()
    await this.#parts.rows.close()
    await this.#parts.beats.close()
    await this.engine.close()
  }

  async #clean(): Promise<void> {
    const { keepDays = KEEP_DAYS, store } = this.#options
    await deleteOldLegs(keepDays * DAY_MS)
    await ordersOf(store).prune(Date.now() - keepDays * DAY_MS)
    await this.#parts.beats.prune(keepDays * DAY_MS)
    await this.#parts.rows.pruneDeaths(keepDays * DAY_MS)
  }
}

/** Enqueues due runs that have no leg: answered by a command, or left by a process that was no worker. */
function sweepOf(
  { store, agents }: WorkerOptions,
  engine: FleetEngine,
  onProblem: (problem: unknown) => void,
): Host {
  const due = async (limit?: number): Promise<readonly RunSummary[]> => {
    const before = Date.now() - SWEEP_MS
    const runs = await store.runs.due(limit)
    // A run that became due just now was enqueued by the process that stored the answer.
    return runs.filter(({ wakeAt, changedAt }) => (wakeAt ?? changedAt) < before)
  }
  return startHost({
    store: { runs: { due } },
    agents: agents.map((name) => ({
      name,
      async resume(run) {
        const summary = await store.runs.find(run)
        const why = `due-${summary?.changedAt ?? 0}`
        return { result: engine.resumeDue(run, why), suspend: () => undefined }
      },
    })),
    clock: systemClock,
    everyMs: SWEEP_MS,
    onProblem,
  })
}
