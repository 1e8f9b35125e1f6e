import { type RunEvent, SPOKEN } from '../core/event.ts'
import type { Redactor } from '../core/redaction.ts'

type EventType = RunEvent['type']

interface Listener {
  readonly hear: (event: RunEvent) => void
  /** Nothing for all of them. */
  readonly only: ReadonlySet<EventType> | undefined
}

/**
 * Who watches a run. The one place where events are redacted before anybody hears them; what
 * nobody listens to is neither built nor redacted, since an observation can hold thousands of rows.
 */
export class Audience {
  /** Another list with each listener: nobody is passed over while an event goes round. */
  #listeners: readonly Listener[] = NOBODY
  #redact: Redactor
  #redactors: readonly Redactor[]
  /** Listeners that threw. */
  #faulty: Set<Listener['hear']> | undefined

  constructor(redact: Redactor) {
    this.#redact = redact
    this.#redactors = [redact]
  }

  /** Hides what is hidden from whoever watches. */
  get redact(): Redactor {
    return this.#redact
  }

  /** From now on what this one hides is hidden, too: what a part of the run knows the rest may tell. */
  alsoRedact(redact: Redactor): void {
    if (this.#redactors.includes(redact)) return
    const before = this.#redact
    this.#redactors = [...this.#redactors, redact]
    this.#redact = (value) => redact(before(value))
  }

  /** Whether an event of this type would reach anybody. Callers build it only then. */
  hears(type: EventType): boolean {
    for (const { only } of this.#listeners) if (only === undefined || only.has(type)) return true
    return false
  }

  /**
   * @param only types of events that are heard; default all
   * @returns stops listening
   */
  listen(hear: (event: RunEvent) => void, only?: ReadonlySet<EventType>): () => void {
    const listener = { hear, only }
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener)
    }
  }

  /** Whoever throws hears on; the run goes on, and the others are warned the first time. */
  tell(event: RunEvent): void {
    const shown = SPOKEN.has(event.type) ? event : this.#redact(event)
    for (const listener of this.#listeners) {
      if (listener.only !== undefined && !listener.only.has(event.type)) continue
      try {
        listener.hear(shown)
      } catch (error) {
        this.#warnOf(listener, error)
      }
    }
  }

  #warnOf(listener: Listener, error: unknown): void {
    this.#faulty ??= new Set()
    if (this.#faulty.has(listener.hear)) return
    this.#faulty.add(listener.hear)
    const reason = error instanceof Error ? error.message : String(error)
    const message = `a listener of the run threw (${reason}) and missed an event; mend it: it must not throw`
    this.tell({ type: 'log', level: 'warning', message })
  }
}

const NOBODY: readonly Listener[] = []
