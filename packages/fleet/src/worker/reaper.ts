import { DBOS } from '@dbos-inc/dbos-sdk'
import type { ExecutorLock } from './executor-lock.ts'

/** How often it looks. */
const LOOK_MS = 1000
/** How long a worker must be gone, so that a restart of the database makes nobody dead. */
const GRACE_MS = 5000
/** Legs that one look moves. */
const MOST_MOVED = 1000

export interface ReaperOptions {
  readonly lock: ExecutorLock
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
    const legs = await DBOS.listWorkflows({
      status: 'PENDING',
      loadInput: false,
      loadOutput: false,
      limit: MOST_MOVED,
    })
    const byWorker = Map.groupBy(legs, ({ executorId = '' }) => executorId)
    for (const name of this.#gone.keys()) if (!byWorker.has(name)) this.#gone.delete(name)
    for (const [name, its] of byWorker) {
      if (name === this.#options.own || name === '') continue
      const isGone = await this.#options.lock.ifGone(name, () => this.#move(name, its))
      if (!isGone) this.#gone.delete(name)
    }
  }

  async #move(
    name: string,
    legs: readonly { readonly workflowID: string; readonly queueName?: string }[],
  ): Promise<void> {
    const since = this.#gone.get(name) ?? Date.now()
    this.#gone.set(name, since)
    if (Date.now() - since < GRACE_MS) return
    for (const [queueName, its] of Map.groupBy(legs, (leg) => leg.queueName)) {
      const ids = its.map(({ workflowID }) => workflowID)
      await DBOS.resumeWorkflows(ids, queueName === undefined ? {} : { queueName })
    }
    this.#gone.delete(name)
    this.#options.onRecovered(legs.length, name)
  }
}
