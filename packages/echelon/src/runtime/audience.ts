import { type Listener, type RunEvent, SPOKEN } from '../core/agent/event.ts'
import type { Path } from '../core/journal/journal.ts'
import type { Redactor } from '../core/redaction/redaction.ts'

type EventType = RunEvent['type']

interface Listening {
  readonly hear: Listener['hear']
  /** Nothing for all of them. */
  readonly only: Listener['only'] | undefined
  /** The run whose events it hears, with those that this one began. */
  readonly within: Path
}

/**
 * Who watches a run. The one place where events are redacted before anybody hears them; what
 * nobody listens to is neither built nor redacted, since an observation can hold thousands of rows.
 */
export class Audience {
  /** Another list with each listener: nobody is passed over while an event goes round. */
  #listeners: readonly Listening[] = NOBODY
  readonly #runId: string
  #redact: Redactor
  /** Those that it is made of, where there are several. */
  #redactors: readonly Redactor[] | undefined
  /** What nobody hears yet. */
  #held: RunEvent[] | undefined
  /** Listeners that threw. */
  #faulty: Set<Listener['hear']> | undefined

  /** @param runId handed to each listener: one may listen to many runs at once */
  constructor(redact: Redactor, runId: string) {
    this.#redact = redact
    this.#runId = runId
  }

  /** Hides what is hidden from whoever watches. */
  get redact(): Redactor {
    return this.#redact
  }

  /** From now on what this one hides is hidden, too: what a part of the run knows the rest may tell. */
  alsoRedact(redact: Redactor): void {
    const before = this.#redact
    const known = this.#redactors ?? [before]
    if (known.includes(redact)) return
    this.#redactors = [...known, redact]
    this.#redact = (value) => redact(before(value))
  }

  /** Whether an event of this type would reach anybody. Callers build it only then. */
  hears(type: EventType): boolean {
    for (const { only } of this.#listeners) if (only === undefined || only.has(type)) return true
    return false
  }

  /**
   * @param only types of events that are heard; default all
   * @param within where the run stands that is listened to; default all of the tree
   * @returns stops listening
   */
  listen(hear: Listener['hear'], only?: Listener['only'], within: Path = ''): () => void {
    const listener = { hear, only, within }
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener)
    }
  }

  /** From now on nobody hears anything, until `release`: a run that never is on record is told to nobody. */
  hold(): void {
    this.#held ??= []
  }

  /** What was held back is heard, in its order. */
  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of held) this.tell(event)
  }

  /** Whoever throws hears on; the run goes on, and the others are warned the first time. */
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
    const message = 'a listener of the run threw and missed an event; mend it: it must not throw'
    this.tell({ type: 'log', level: 'warning', message, detail })
  }

  /** Listens to a run within the run. Who hears all of its events already, hears none twice. */
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
