import type { LegEnd } from '../../core/engine/engine.ts'

/** Work on one run, until it waits or ends. */
export interface Leg {
  readonly run: string
  /** Legs of one session are performed one after the other, in order. */
  readonly session: string | undefined
  readonly principal: string | undefined
  perform(): Promise<LegEnd>
}

export interface LegLimits {
  /** Legs at the same time. */
  readonly atOnce: number
  /** Legs of one principal at the same time. */
  readonly atOncePerPrincipal: number
}

interface Queued {
  readonly leg: Leg
  readonly over: PromiseWithResolvers<LegEnd | undefined>
}

/** Performs legs in the order in which they came, within limits. */
export class Legs {
  readonly #limits: LegLimits
  #queue: Queued[] = []
  readonly #working = new Set<Leg>()
  readonly #over = new Set<Promise<LegEnd>>()
  #isClosed = false

  constructor(limits: LegLimits) {
    this.#limits = limits
  }

  /** @returns how the leg ended; `undefined` if it was taken out of the queue */
  add(leg: Leg): Promise<LegEnd | undefined> {
    const over = Promise.withResolvers<LegEnd | undefined>()
    this.#queue.push({ leg, over })
    this.#fill()
    return over.promise
  }

  /** Where the legs of a run are; `undefined` without one. */
  placeOf(run: string): 'queued' | 'working' | undefined {
    if ([...this.#working].some((leg) => leg.run === run)) return 'working'
    return this.#queue.some(({ leg }) => leg.run === run) ? 'queued' : undefined
  }

  /** Takes the queued legs of a run out. @returns whether there were any */
  drop(run: string): boolean {
    const dropped = this.#queue.filter(({ leg }) => leg.run === run)
    this.#queue = this.#queue.filter(({ leg }) => leg.run !== run)
    for (const { over } of dropped) over.resolve(undefined)
    return dropped.length > 0
  }

  /** Starts no more legs, and waits until the active ones are over. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { over } of this.#queue.splice(0)) over.resolve(undefined)
    await Promise.allSettled(this.#over)
  }

  #fill(): void {
    if (this.#isClosed) return
    const passed = new Set<string>()
    for (const queued of this.#queue.slice()) {
      if (this.#working.size >= this.#limits.atOnce) return
      const { session } = queued.leg
      // A later leg of a session never overtakes an earlier one.
      if (session !== undefined && passed.has(session)) continue
      if (this.#mayBegin(queued.leg)) this.#begin(queued)
      else if (session !== undefined) passed.add(session)
    }
  }

  #mayBegin({ run, session, principal }: Leg): boolean {
    const working = [...this.#working]
    const isBusy = working.some(
      (leg) => leg.run === run || (session !== undefined && leg.session === session),
    )
    if (isBusy || principal === undefined) return !isBusy
    const own = working.filter((leg) => leg.principal === principal)
    return own.length < this.#limits.atOncePerPrincipal
  }

  #begin(queued: Queued): void {
    const { leg, over } = queued
    this.#queue.splice(this.#queue.indexOf(queued), 1)
    this.#working.add(leg)
    const performed = leg.perform().finally(() => {
      this.#working.delete(leg)
      this.#over.delete(performed)
      this.#fill()
    })
    this.#over.add(performed)
    performed.then(over.resolve, over.reject)
  }
}
