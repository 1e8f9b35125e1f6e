import { DBOS } from '@dbos-inc/dbos-sdk'
import type { ExecutorLock } from './executor-lock.ts'
import type { QueueRows } from './queue-rows.ts'

/** How often it looks. */
const LOOK_MS = 1000
/** How long a worker must be gone, so that a restart of the database makes nobody dead. */
const GRACE_MS = 5000
/** Legs that one look moves. */
const MOST_MOVED = 1000

export interface ReaperOptions {
  readonly lock: ExecutorLock
  readonly rows: Pick<QueueRows, 'workers'>
  /** The name of this worker. */
  readonly own: string
  readonly onRecovered: (legs: number, worker: string) => void
  readonly onProblem: (problem: unknown) => void
}

/**
 * Puts the legs of workers whose host vanished back into their queues. A worker that restarts under its name
 * takes its legs up itself; this is for those that do not come back. A wrong verdict is harmless: one of the
 * two processes is refused by the run's journal.
 */
export class Reaper {
  readonly #options: ReaperOptions
  /** Since when each worker has been gone. */
  readonly #gone = new Map<string, number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor(options: ReaperOptions) {
    this.#options = options
    this.#later()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  #later(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#later())
    }, LOOK_MS)
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { lock, onProblem } = this.#options
    try {
      if (lock.lostAt !== undefined) this.#gone.clear()
      if (!(await lock.hold())) return
      await this.#reap()
    } catch (problem) {
      // The database may restart: who was gone before says nothing now.
      this.#gone.clear()
      onProblem(problem)
    }
  }

  async #reap(): Promise<void> {
    const { lock, own, rows } = this.#options
    const names = await rows.workers()
    for (const name of this.#gone.keys()) if (!names.includes(name)) this.#gone.delete(name)
    for (const name of names) {
      if (name === own) continue
      const isGone = await lock.ifGone(name, () => this.#move(name))
      if (!isGone) this.#gone.delete(name)
    }
  }

  async #move(name: string): Promise<void> {
    const since = this.#gone.get(name) ?? Date.now()
    this.#gone.set(name, since)
    if (Date.now() - since < GRACE_MS) return
    const legs = await DBOS.listWorkflows({
      status: 'PENDING',
      executorId: name,
      loadInput: false,
      loadOutput: false,
      limit: MOST_MOVED,
    })
    for (const [queueName, its] of Map.groupBy(legs, (leg) => leg.queueName)) {
      const ids = its.map(({ workflowID }) => workflowID)
      await DBOS.resumeWorkflows(ids, queueName === undefined ? {} : { queueName })
    }
    // More than one look moves: the next one goes on.
    if (legs.length < MOST_MOVED) this.#gone.delete(name)
    this.#options.onRecovered(legs.length, name)
  }
}
