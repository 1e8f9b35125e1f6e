import { EchelonError, type Clock, type Engine, type Json, type RunEvent } from 'echelon/runtime'
import { hasEnded } from 'echelon/internal/store'
import type { ServedRun, TurnEnd } from '../agents/served-agent.ts'
import { endOfGivenUp, endWithout } from '../runs/end-without.ts'
import type { ServerStore } from '../runs/server-store.ts'

export interface FollowedRunOptions {
  readonly id: string
  readonly engine: Engine
  readonly store: Pick<ServerStore, 'runs' | 'events'>
  readonly clock: Clock
  /** Reads the end of a run that is over from the store. */
  readonly endOf: () => Promise<TurnEnd | undefined>
  readonly onFault: (error: unknown, run: string) => void
}

/** Pauses between two looks at the store. */
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 400
/** Time to wait for the last events of an ended run. */
const LAST_EVENTS_MS = 2000

/** Where a run is, as far as a follower has to know. */
type Stand =
  | { readonly type: 'goes on' | 'ended' | 'waits' | 'canceled' }
  | { readonly type: 'given up'; readonly end: TurnEnd }
  | { readonly type: 'failed'; readonly reason: string; readonly isBegun: boolean }

/** A run that another process performs, as its stored events show it. */
export class FollowedRun implements ServedRun {
  readonly id: string
  readonly outcome: Promise<TurnEnd>
  readonly #options: FollowedRunOptions
  readonly #over = Promise.withResolvers<TurnEnd>()
  readonly #leaving = new AbortController()

  constructor(options: FollowedRunOptions) {
    this.id = options.id
    this.#options = options
    this.outcome = this.#over.promise
    this.outcome.catch(() => undefined)
  }

  cancel(): void {
    const { engine, onFault } = this.#options
    engine.cancel(this.id).catch((error: unknown) => onFault(error, this.id))
  }

  respond(request: string, reply: Json): void {
    const { engine, onFault } = this.#options
    engine.answer(this.id, { request, reply }).catch((error: unknown) => onFault(error, this.id))
  }

  /** Stops following. The run itself continues in its worker. */
  suspend(): void {
    this.#leaving.abort()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    try {
      yield* this.#events()
    } catch (error) {
      this.#over.reject(error)
    }
  }

  async *#events(): AsyncGenerator<RunEvent, void> {
    const { store } = this.#options
    let last = 0
    let type: RunEvent['type'] | undefined
    for (let pauseMs = FIRST_PAUSE_MS; ;) {
      const page = await store.events.read(this.id, last)
      for (const { n, event } of page) {
        last = n
        type = event.type
        yield event
      }
      if (page.length > 0) pauseMs = FIRST_PAUSE_MS
      else if (await this.#isOver(type)) return
      else pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      await this.#pause(pauseMs)
    }
  }

  /** Settles the outcome if nothing more will come. @param last the type of the last event */
  async #isOver(last: RunEvent['type'] | undefined): Promise<boolean> {
    const stand: Stand = this.#leaving.signal.aborted ? { type: 'waits' } : await this.#stand(last)
    switch (stand.type) {
      case 'goes on':
        return false
      case 'waits':
        this.#over.reject(left(this.id))
        return true
      case 'canceled':
        this.#over.resolve(endWithout({ status: 'canceled', reason: 'canceled', cost: 0 }))
        return true
      case 'given up':
        this.#over.resolve(stand.end)
        return true
      case 'failed':
        this.#over.resolve(
          endWithout({
            status: 'failed',
            reason: 'not_performed',
            detail: stand.reason,
            // The spending of its earlier legs is not known here.
            cost: stand.isBegun ? null : 0,
          }),
        )
        return true
      case 'ended': {
        const end = await this.#options.endOf()
        this.#over.resolve(end ?? endWithout({ status: 'finished', reason: 'ended', cost: null }))
        return true
      }
    }
  }

  async #stand(last: RunEvent['type'] | undefined): Promise<Stand> {
    const { store, engine, clock } = this.#options
    const summary = await store.runs.find(this.id)
    const givenUp = summary && endOfGivenUp(summary)
    if (givenUp !== undefined) return { type: 'given up', end: givenUp }
    if (summary !== undefined && hasEnded(summary)) {
      const isWhole = last === 'run-end' || summary.changedAt + LAST_EVENTS_MS < clock.now()
      return { type: isWhole ? 'ended' : 'goes on' }
    }
    if (summary?.status === 'waiting') {
      const isDue = summary.wakeAt !== null && summary.wakeAt <= clock.now()
      return { type: last === 'run-suspended' && !isDue ? 'waits' : 'goes on' }
    }
    if (summary?.status === 'running') return { type: 'goes on' }
    const place = await engine.status(this.id)
    if (place?.type === 'failed') return { ...place, isBegun: summary !== undefined }
    return { type: place?.type === 'ended' && summary === undefined ? 'canceled' : 'goes on' }
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#leaving
    return new Promise((resolve) => {
      const over = (): void => {
        forget()
        signal.removeEventListener('abort', over)
        resolve()
      }
      const forget = this.#options.clock.after(ms, over)
      signal.addEventListener('abort', over, { once: true })
      if (signal.aborted) over()
    })
  }
}

const left = (run: string): EchelonError =>
  new EchelonError('RUN_SUSPENDED', `the run ${run} is suspended; an answer resumes it`)
