import type { Listener, RunEvent } from '../agent/event.ts'

/** A stored event. */
export interface StoredEvent {
  readonly run: string
  /** Counts from 1 within the run; a client names the last one that it has seen. */
  readonly n: number
  readonly at: number
  readonly event: RunEvent
}

/**
 * Port: stores the events of runs, redacted, for clients that connect later or reconnect. The newest may
 * be lost in a machine failure; the journal holds what must not be lost. `eventStoreContract` tests it.
 */
export interface EventStore {
  /** Pass it to an agent as `telemetry`. Parts of answers (deltas) are not stored. */
  readonly listener: Listener
  /** Events after the last one that the client saw. @param limit default 1000 */
  read(run: string, after?: number, limit?: number): Promise<readonly StoredEvent[]>
  /** Writes buffered events. */
  flush(): Promise<void>
}
