import { type Listener, type RunEvent, SPOKEN } from '../core/agent/event.ts'
import type { Path } from '../core/journal/journal.ts'
import type { Redactor } from '../core/redaction/redaction.ts'

type EventType = RunEvent['type']

interface Listening {
  readonly hear: Listener['hear']
  /** `undefined` for all of them. */
  readonly only: Listener['only'] | undefined
  /** Path of the run whose events, including those of its child runs, it receives. */
  readonly within: Path
}

/**
 * The listeners of a run. This is the only place where events are redacted. Events without a listener
 * are neither built nor redacted, since an observation can hold thousands of rows.
 */
export class Audience {
  /** Replaced, not changed, so that adding a listener does not affect an event in delivery. */
  #listeners: readonly Listening[] = NOBODY
  readonly #runId: string
  #redact: Redactor
  /** The redactors that `#redact` combines, if there are several. */
  #redactors: readonly Redactor[] | undefined
  /** Events held back by `hold`. */
  #held: RunEvent[] | undefined
  /** Listeners that threw. */
  #faulty: Set<Listener['hear']> | undefined

  /** @param runId passed to each listener, since one listener may receive events of many runs */
  constructor(redact: Redactor, runId: string) {
    this.#redact = redact
    this.#runId = runId
  }

  /** The redactor that is applied to events. */
  get redact(): Redactor {
    return this.#redact
  }

  /** Adds a redactor for all later events: one part of a run may repeat what another part knows. */
  alsoRedact(redact: Redactor): void {
    const before = this.#redact
    const known = this.#redactors ?? [before]
    if (known.includes(redact)) return
    this.#redactors = [...known, redact]
    this.#redact = (value) => redact(before(value))
  }

  /** Returns whether an event of this type has a listener. Callers build it only then. */
  hears(type: EventType): boolean {
    for (const { only } of this.#listeners) if (only === undefined || only.has(type)) return true
    return false
  }

  /**
   * @param only types of events to receive; default all
   * @param within path of the run to listen to; default the whole tree
   * @returns stops listening
   */
  listen(hear: Listener['hear'], only?: Listener['only'], within: Path = ''): () => void {
    const listener = { hear, only, within }
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener)
    }
  }

  /** Holds events back until `release`: a run that is never recorded must not emit events. */
  hold(): void {
    this.#held ??= []
  }

  /** Delivers the events held back, in order. */
  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of held) this.tell(event)
  }

  /** Delivers an event. A listener that throws stays subscribed; the first time, a warning is logged. */
  tell(event: RunEvent): void {
    if (this.#held !== undefined) {
      this.#held.push(event)
      return
    }
    const shown = SPOKEN.has(event.type) ? event : this.#redact(event)
    for (const listener of this.#listeners) {
      const { only, within } = listener
      if ((only !== undefined && !only.has(event.type)) || !isWithin(event, within)) continue
      try {
        listener.hear(shown, this.#runId)
      } catch (error) {
        this.#warnOf(listener, error)
      }
    }
  }

  #warnOf({ hear }: Listening, error: unknown): void {
    this.#faulty ??= new Set()
    if (this.#faulty.has(hear)) return
    this.#faulty.add(hear)
    const detail = error instanceof Error ? error.message : String(error)
    const message =
      'a listener of the run threw and missed an event; fix it: a listener must not throw'
    this.tell({ type: 'log', level: 'warning', message, detail })
  }

  /** Listens to a child run, unless the same listener already receives all of its events. */
  listenWithin(path: Path, { hear, only }: Listener): () => void {
    const hearsAlready = this.#listeners.some(
      (one) => one.hear === hear && one.only === only && path.startsWith(one.within),
    )
    return hearsAlready ? nothingToStop : this.listen(hear, only, path)
  }
}

const NOBODY: readonly Listening[] = []

const isWithin = (event: RunEvent, path: Path): boolean =>
  path === '' || ('path' in event && event.path.startsWith(path))

const nothingToStop = (): undefined => undefined
