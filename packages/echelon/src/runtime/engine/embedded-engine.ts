import { EchelonError } from '../../core/value/error.ts'
import type { Clock } from '../../core/agent/ports.ts'
import type {
  Engine,
  LegEnd,
  Performer,
  RunAnswer,
  RunOrder,
  RunPlace,
} from '../../core/engine/engine.ts'
import { placeOfRun } from '../../core/engine/place-of-run.ts'
import type { RunStore } from '../../core/store/run-store.ts'
import { type Host, type ResumedRun, startHost } from '../run-host.ts'
import { Legs } from './legs.ts'

export interface EmbeddedEngineOptions {
  readonly store: {
    readonly runs: Pick<RunStore, 'due' | 'find' | 'reply' | 'askToCancel'> &
      Partial<Pick<RunStore, 'read'>>
  }
  readonly performer: Performer
  /** Names of the agents whose runs are resumed. */
  readonly agents: readonly string[]
  readonly clock: Clock
  /** Interval between checks for due runs, in milliseconds. Default 1000. */
  readonly everyMs?: number
  /** Legs at the same time. Default 8. */
  readonly atOnce?: number
  /** Legs of one principal at the same time. Default `atOnce`. */
  readonly atOncePerPrincipal?: number
  /** Receives the errors of legs. */
  readonly onProblem?: (problem: unknown, run?: string) => void
}

const AT_ONCE = 8
/** Failed and dropped runs whose place is remembered. */
const MOST_REMEMBERED = 1000

/**
 * Starts the engine of one process: orders are performed here, and a host resumes what is due. An order that
 * has not begun is lost with the process; a run that has begun is not.
 */
export function startEngine(options: EmbeddedEngineOptions): Engine {
  return new EmbeddedEngine(options)
}

class EmbeddedEngine implements Engine {
  readonly #options: EmbeddedEngineOptions
  readonly #legs: Legs
  readonly #host: Host
  /** By run: forgets its timer. */
  readonly #scheduled = new Map<string, () => void>()
  /** Runs that left no journal, oldest first. */
  readonly #remembered = new Map<string, RunPlace>()

  constructor(options: EmbeddedEngineOptions) {
    this.#options = options
    const { atOnce = AT_ONCE, atOncePerPrincipal = atOnce, everyMs, clock, store } = options
    this.#legs = new Legs({ atOnce, atOncePerPrincipal })
    this.#host = startHost({
      store,
      agents: options.agents.map((name) => ({ name, resume: (run) => this.#resume(run) })),
      clock,
      // The legs have the limit.
      atOnce: Number.MAX_SAFE_INTEGER,
      ...(everyMs !== undefined && { everyMs }),
      onProblem: (problem, run) => options.onProblem?.(problem, run?.id),
    })
  }

  async start(order: RunOrder): Promise<void> {
    if ((await this.status(order.run)) === undefined) this.#begin(order)
  }

  async schedule(order: RunOrder, at: number): Promise<void> {
    if ((await this.status(order.run)) !== undefined) return
    const { clock } = this.#options
    const begin = (): void => {
      this.#scheduled.delete(order.run)
      this.#begin(order)
    }
    this.#scheduled.set(order.run, clock.after(Math.max(0, at - clock.now()), begin))
  }

  async answer(run: string, { request, reply, by }: RunAnswer): Promise<void> {
    await this.#options.store.runs.reply(run, request, reply, by)
    void this.#host.tick()
  }

  async cancel(run: string, by: 'user' | 'shutdown' = 'user'): Promise<boolean> {
    const { runs } = this.#options.store
    if ((await runs.find(run)) === undefined && this.#drop(run)) return true
    if (this.#remembered.has(run)) return false
    const isOpen = await runs.askToCancel(run, by)
    void this.#host.tick()
    return isOpen
  }

  async status(run: string): Promise<RunPlace | undefined> {
    if (this.#scheduled.has(run)) return { type: 'scheduled' }
    const place = this.#legs.placeOf(run)
    if (place !== undefined) return { type: place }
    const summary = await this.#options.store.runs.find(run)
    return summary === undefined
      ? this.#remembered.get(run)
      : placeOfRun(summary, this.#options.clock.now())
  }

  async close(): Promise<void> {
    for (const forget of this.#scheduled.values()) forget()
    this.#scheduled.clear()
    const stopped = this.#host.stop()
    this.#options.performer.release()
    await this.#legs.close()
    await stopped
  }

  #begin(order: RunOrder): void {
    // It may have been ordered again while its status was read.
    if (this.#legs.placeOf(order.run) === undefined) void this.#performed(order)
  }

  /** Never rejects. */
  async #performed(order: RunOrder): Promise<void> {
    const { run, session, principal } = order
    const { performer, onProblem } = this.#options
    const perform = (): Promise<LegEnd> => performer.begin(order)
    try {
      const end = await this.#legs.add({ run, session, principal, perform })
      if (end?.type === 'failed') this.#remember(run, { type: 'failed', reason: end.reason })
      // It may wait for a time that has come.
      if (end?.type === 'waiting') void this.#host.tick()
    } catch (problem) {
      const reason = problem instanceof EchelonError ? problem.message : 'its program failed'
      this.#remember(run, { type: 'failed', reason })
      onProblem?.(problem, run)
    }
  }

  async #resume(run: string): Promise<ResumedRun> {
    const { performer, store } = this.#options
    const session = (await store.runs.find(run))?.session ?? undefined
    const perform = (): Promise<LegEnd> => performer.resume(run)
    const result = this.#legs.add({ run, session, principal: undefined, perform })
    return { result, suspend: () => undefined }
  }

  #drop(run: string): boolean {
    const forget = this.#scheduled.get(run)
    forget?.()
    this.#scheduled.delete(run)
    const isDropped = this.#legs.drop(run) || forget !== undefined
    if (isDropped) this.#remember(run, { type: 'ended' })
    return isDropped
  }

  #remember(run: string, place: RunPlace): void {
    this.#remembered.set(run, place)
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) {
      this.#remembered.delete(oldest)
    }
  }
}
