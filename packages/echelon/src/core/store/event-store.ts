import type { Listener, RunEvent } from '../agent/event.ts'

/** An event as it is kept. */
export interface StoredEvent {
  readonly run: string
  /** Counts from 1 within the run: what a client says that it has seen. */
  readonly n: number
  readonly at: number
  readonly event: RunEvent
}

/**
 * Port: events of runs, for those who come later or come back. As they are heard they are redacted.
 * The newest may be lost when the machine fails; what must not be lost is in the journal.
 * `eventStoreContract` tests it.
 */
export interface EventStore {
  /** To be given to an agent as `telemetry`. Parts of answers (deltas) are not kept. */
  readonly listener: Listener
  /** Those after the one that the client saw last. @param limit default 1000 */
  read(run: string, after?: number, limit?: number): Promise<readonly StoredEvent[]>
  /** Writes what is held back for a moment. */
  flush(): Promise<void>
}
