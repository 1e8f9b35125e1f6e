import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { connectFleet, type FleetEngine, type FleetLimits } from '@echelon/fleet'
import { openStore } from '@echelon/store'
import type { BusyRelease, BusyWork } from './busy-agent.ts'
import type { DeadlyWork } from './deadly-agent.ts'
import type { Store } from './kit.ts'
import { freeWorker, killWorker, takeWorker } from './worker-pool.ts'

interface CrewParts {
  readonly database: string
  readonly limits: FleetLimits
  readonly engine: FleetEngine
  readonly store: Store
  /** The file of their actions. */
  readonly actions: string
}

interface Hiring {
  readonly release?: BusyRelease
  /** Interruptions after which its runs are given up. */
  readonly giveUpAfter?: number
  /** Another address of the same database. */
  readonly database?: string
}

interface Ordering {
  readonly session?: string
  readonly principal?: string
}

const POLL_MS = 20

/** Workers in processes of their own, on one database, with what their runs did. */
export class Crew {
  readonly engine: FleetEngine
  readonly store: Store
  readonly #database: string
  readonly #actions: string
  readonly #limits: FleetLimits
  readonly #workers = new Map<string, ChildProcess>()

  private constructor(parts: CrewParts) {
    this.#database = parts.database
    this.#limits = parts.limits
    this.#actions = parts.actions
    this.engine = parts.engine
    this.store = parts.store
  }

  /** Connects to a database. The crew is dismissed at the end of the test. */
  static async on(t: TestContext, database: string, limits: FleetLimits = {}): Promise<Crew> {
    const folder = mkdtempSync(join(tmpdir(), 'crew-'))
    const actions = join(folder, 'actions')
    writeFileSync(actions, '')
    const store = await openStore(database)
    const engine = await connectFleet({ database, store, limits })
    const crew = new Crew({ database, limits, engine, store, actions })
    t.after(async () => {
      await Promise.all([...crew.#workers.values()].map(freeWorker))
      await engine.close()
      await store.close()
      rmSync(folder, { recursive: true })
    })
    return crew
  }

  /** Starts a worker, and waits until it performs runs. */
  async hire(
    name: string,
    { release, giveUpAfter, database = this.#database }: Hiring = {},
  ): Promise<void> {
    const work = {
      database,
      name,
      actions: this.#actions,
      limits: this.#limits,
      ...(release && { release }),
      ...(giveUpAfter !== undefined && { giveUpAfter }),
    }
    this.#workers.set(name, await takeWorker(work))
  }

  /** Stops the process of a worker, which keeps its connections, until it is thawed. */
  freeze(name: string): void {
    this.#workers.get(name)?.kill('SIGSTOP')
  }

  thaw(name: string): void {
    this.#workers.get(name)?.kill('SIGCONT')
  }

  /** Stops a worker, as a deploy does. */
  async dismiss(name: string): Promise<void> {
    const worker = this.#workers.get(name)
    this.#workers.delete(name)
    if (worker !== undefined) await freeWorker(worker)
  }

  /** Ends a worker as if its machine failed. */
  async kill(name: string): Promise<void> {
    const worker = this.#workers.get(name)
    this.#workers.delete(name)
    if (worker !== undefined) await killWorker(worker)
  }

  /** Waits until the process of a worker ends by itself. */
  async death(name: string): Promise<void> {
    const worker = this.#workers.get(name)
    this.#workers.delete(name)
    if (worker !== undefined && worker.signalCode === null) await once(worker, 'exit')
  }

  /** Orders a run that may end its worker. */
  orderDeadly(run: string, work: DeadlyWork): Promise<void> {
    return this.#order(run, 'deadly', JSON.stringify(work), {})
  }

  order(run: string, work: BusyWork, options: Ordering = {}): Promise<void> {
    return this.#order(run, 'busy', JSON.stringify(work), options)
  }

  async #order(
    run: string,
    agent: string,
    text: string,
    { session, principal = 'ada' }: Ordering,
  ): Promise<void> {
    const task = {
      agent,
      input: { text },
      context: { caller: principal, ...(session !== undefined && { session }) },
      held: { maxCost: null, at: Date.now() },
    }
    await this.engine.start({ run, task, principal, ...(session !== undefined && { session }) })
  }

  /** Waits until a run is somewhere. */
  async until(run: string, place: string): Promise<void> {
    for (;;) {
      const now = await this.engine.status(run)
      if (now?.type === place) return
      if (now?.type === 'failed') throw new Error(`${run}: ${now.reason}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** The file of its actions. */
  get file(): string {
    return this.#actions
  }

  /** The keys of all actions, in their order. */
  get actions(): readonly string[] {
    return this.#lines.filter(({ what }) => what === 'begin').map(({ key }) => key)
  }

  /** The most actions that were done at the same time. */
  get mostAtOnce(): number {
    let [now, most] = [0, 0]
    for (const { what } of this.#lines) {
      now += what === 'begin' ? 1 : -1
      most = Math.max(most, now)
    }
    return most
  }

  get #lines(): readonly { readonly what: string; readonly key: string }[] {
    const lines = readFileSync(this.#actions, 'utf8').trim().split('\n')
    return lines.map((line) => {
      const [what = '', key = ''] = line.split(' ')
      return { what, key }
    })
  }
}
