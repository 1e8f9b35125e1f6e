import { DBOS, type WorkflowStatus } from '@dbos-inc/dbos-sdk'
import type { Beats } from '../beats.ts'
import type { Adoption } from './adoption.ts'
import type { ExecutorLock } from './executor-lock.ts'
import type { QueueRows } from './queue-rows.ts'

/** Interval between two looks. */
const LOOK_MS = 1000
/** Number of looks between two signs of life. */
const BEAT_EVERY = 5
/** Time that a worker must be gone to count as dead, so that a restart of the database kills no worker. */
const GRACE_MS = 5000
/** Legs that one look moves. */
const MOST_MOVED = 1000

export interface ReaperOptions {
  readonly lock: ExecutorLock
  readonly rows: Pick<QueueRows, 'workers' | 'addClaims'>
  readonly beats: Pick<Beats, 'beat' | 'all' | 'end'>
  readonly adoption: Adoption
  /** The name of this worker. */
  readonly own: string
  readonly version: string
  readonly onRecovered: (legs: number, worker: string) => void
  readonly onProblem: (problem: unknown) => void
}

/**
 * Puts the legs of workers that vanished or froze back into their queues. A worker that restarts under its name takes
 * its legs up itself; this is for those that do not come back. A wrong verdict is harmless: one of the two processes
 * is refused by the run's journal.
 */
export class Reaper {
  readonly #options: ReaperOptions
  /** Since when each worker has been gone. */
  readonly #gone = new Map<string, number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #looking: Promise<void> | undefined
  #isStopped = false
  #looks = 0

  constructor(options: ReaperOptions) {
    this.#options = options
    this.#later()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
    const { beats, own, version } = this.#options
    await beats.end(own, version).catch(() => undefined)
  }

  #later(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#later())
    }, LOOK_MS)
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { lock, adoption, onProblem } = this.#options
    try {
      if (lock.lostAt !== undefined) this.#forget()
      if (!(await lock.hold())) return
      await this.#reap()
    } catch (problem) {
      // The database may restart: who was gone before says nothing now.
      this.#forget()
      adoption.forget()
      onProblem(problem)
    }
  }

  #forget(): void {
    this.#gone.clear()
  }

  async #reap(): Promise<void> {
    const { lock, beats, adoption, own, version, rows } = this.#options
    if (this.#looks++ % BEAT_EVERY === 0) await beats.beat(own, version)
    const all = await beats.all()
    const alive = new Set(all.flatMap(({ name, isAlive }) => (isAlive ? [name] : [])))
    const names = await rows.workers()
    for (const name of this.#gone.keys()) if (!names.includes(name)) this.#gone.delete(name)
    for (const name of names) {
      if (name === own) await this.#moveOlder()
      // A frozen worker still holds its lock, so this holds another one while its legs are moved.
      else if (await lock.ifGone(name, () => this.#move(name))) continue
      else if (alive.has(name)) this.#gone.delete(name)
      else await lock.ifGone(`${name}/frozen`, () => this.#move(name))
    }
    await adoption.look(all)
  }

  /** Legs of an older release that had this name: DBOS takes up only those of its own version. */
  async #moveOlder(): Promise<void> {
    const { own, version } = this.#options
    const legs = await legsOf(own)
    await this.#moveAll(legs.filter(({ applicationVersion }) => applicationVersion !== version))
  }

  async #move(name: string): Promise<void> {
    const since = this.#gone.get(name) ?? Date.now()
    this.#gone.set(name, since)
    if (Date.now() - since < GRACE_MS) return
    const legs = await legsOf(name)
    await this.#moveAll(legs)
    // More than one look moves: the next one goes on.
    if (legs.length < MOST_MOVED) this.#gone.delete(name)
    this.#options.onRecovered(legs.length, name)
  }

  async #moveAll(legs: readonly WorkflowStatus[]): Promise<void> {
    for (const [queueName, its] of Map.groupBy(legs, (leg) => leg.queueName)) {
      const ids = its.map(({ workflowID }) => workflowID)
      await DBOS.resumeWorkflows(ids, queueName === undefined ? {} : { queueName })
    }
    const claimed = legs.map(({ workflowID: id, recoveryAttempts: claims = 0 }) => ({ id, claims }))
    await this.#options.rows.addClaims(claimed)
  }
}

const legsOf = (name: string): Promise<readonly WorkflowStatus[]> =>
  DBOS.listWorkflows({
    status: 'PENDING',
    executorId: name,
    loadInput: false,
    loadOutput: false,
    limit: MOST_MOVED,
  })
