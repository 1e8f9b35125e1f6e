import type { RunEvent } from 'echelon/runtime'

/** An event with its place in the run, by which a client resumes. */
export interface LoggedEvent {
  /** Counts the events that the store keeps, from 1; events that it drops have the number of the one before. */
  readonly n: number
  /** Counts the events since that one that the store drops; 0 for the stored event itself. */
  readonly sub: number
  readonly at: number
  readonly event: RunEvent
}

/** The place of an event as clients see it, such as `12` or `12.3`. */
export const placeOf = ({ n, sub }: Pick<LoggedEvent, 'n' | 'sub'>): string =>
  sub === 0 ? String(n) : `${n}.${sub}`

/** A place as clients name it. @returns `undefined` for anything else */
export function readPlace(text: string): Pick<LoggedEvent, 'n' | 'sub'> | undefined {
  const [, n, sub = '0'] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  return n === undefined ? undefined : { n: Number(n), sub: Number(sub) }
}

export const START: Pick<LoggedEvent, 'n' | 'sub'> = { n: 0, sub: 0 }

/** Events of a run that are in memory. The oldest go first. */
const MOST_EVENTS = 20_000

/** Number of events that are removed at once: removing one at a time would move all others each time. */
const TRIMMED = 1000

/** Events that the store does not keep: their text comes again with the end of the step. */
const PARTIAL: ReadonlySet<RunEvent['type']> = new Set([
  'text-delta',
  'output-partial',
  'text-drop',
])

/**
 * The events of a live run, shared by all who follow it. A follower holds only a position, so a slow one
 * costs no memory. One that falls behind the events in memory gets `isGone` and can continue from
 * the store.
 */
export class RunLog {
  #events: LoggedEvent[] = []
  /** Number of events that are no longer in memory. */
  #dropped = 0
  #n: number
  #sub = 0
  #isOver = false
  #wakes = new Set<() => void>()

  /** @param n the number of the last stored event of an earlier process */
  constructor(n = 0) {
    this.#n = n
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The place of the newest event. */
  get last(): Pick<LoggedEvent, 'n' | 'sub'> {
    return { n: this.#n, sub: this.#sub }
  }

  add(event: RunEvent, at: number): void {
    if (PARTIAL.has(event.type)) this.#sub++
    else {
      this.#n++
      this.#sub = 0
    }
    this.#events.push({ n: this.#n, sub: this.#sub, at, event })
    if (this.#events.length > MOST_EVENTS) {
      this.#events.splice(0, TRIMMED)
      this.#dropped += TRIMMED
    }
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** The position after an event; `undefined` if later events are no longer in memory. */
  after({ n, sub }: Pick<LoggedEvent, 'n' | 'sub'>): number | undefined {
    const isLater = (one: LoggedEvent): boolean => one.n > n || (one.n === n && one.sub > sub)
    const index = this.#events.findIndex(isLater)
    // A resumed run has earlier events only in the store.
    if (index === -1) return n >= this.#n ? this.#dropped + this.#events.length : undefined
    const first = this.#events[index]
    const isNext = first !== undefined && (first.n === n || first.n === n + 1)
    return index > 0 || isNext ? this.#dropped + index : undefined
  }

  isGone(position: number): boolean {
    return position < this.#dropped
  }

  /** The events from a position on that are there; none if they have not come yet or are gone. */
  from(position: number, most: number): readonly LoggedEvent[] {
    const index = position - this.#dropped
    return index < 0 ? [] : this.#events.slice(index, index + most)
  }

  /** Resolves when there are more events, or the run is over. */
  more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wakes.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#wakes.add(wake)
      signal.addEventListener('abort', wake, { once: true })
      if (signal.aborted) wake()
    })
  }

  #wake(): void {
    for (const wake of this.#wakes) wake()
  }
}
