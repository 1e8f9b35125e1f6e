import type { EventStore, StoredEvent } from '../../core/event-store.ts'
import type { Listener, RunEvent } from '../../core/event.ts'
import type { Clock } from '../../core/ports.ts'
import { eventOf, eventText, keepingListener, MOST_EVENTS, MOST_READ } from '../kept-event.ts'

interface Kept {
  readonly n: number
  readonly at: number
  /** As JSON, so that nobody who reads it changes it. */
  readonly text: string
}

/** Events of runs as long as the process lives: the newest `MOST_EVENTS` of each. */
export class MemoryEvents implements EventStore {
  readonly listener: Listener = keepingListener((event: RunEvent, run: string): void => {
    this.#hear(event, run)
  })
  readonly #clock: Clock
  readonly #runs = new Map<string, Kept[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async read(run: string, after = 0, limit: number = MOST_READ): Promise<readonly StoredEvent[]> {
    return (this.#runs.get(run) ?? [])
      .filter(({ n }) => n > after)
      .slice(0, limit)
      .map(({ n, at, text }) => ({ run, n, at, event: eventOf(text) }))
  }

  async flush(): Promise<void> {
    // Nothing is held back.
  }

  /** Forgets what was heard of these runs. */
  drop(runs: readonly string[]): void {
    for (const run of runs) this.#runs.delete(run)
  }

  #hear(event: RunEvent, run: string): void {
    const kept = this.#runs.get(run) ?? []
    kept.push({ n: (kept.at(-1)?.n ?? 0) + 1, at: this.#clock.now(), text: eventText(event) })
    if (kept.length > MOST_EVENTS) kept.shift()
    this.#runs.set(run, kept)
  }
}
