import type { RunOrder } from '../engine/engine.ts'

/** An order as the store keeps it. */
export interface KeptOrder {
  readonly order: RunOrder | undefined
  /** Whether the run has begun. Its journal holds the task then, and the order goes soon. */
  readonly isBegun: boolean
  /** Why it could not be performed. */
  readonly problem: string | undefined
}

/**
 * Port: the orders of runs that other processes perform. An engine's queues hold only ids, so that
 * deleting a run or a conversation deletes all of its text.
 */
export interface OrderStore {
  /**
   * Keeps an order until its run begins. The first order of a run stays.
   * @param at when it begins at the earliest, in milliseconds since the epoch
   */
  put(order: RunOrder, at: number): Promise<void>
  find(run: string): Promise<KeptOrder | undefined>
  /** The runs of a conversation that have not begun. */
  ofSession(session: string): Promise<readonly string[]>
  /** Records why a run, ordered or begun, could not be performed. */
  fail(run: string, problem: string): Promise<void>
  /** Deletes an order soon, together with others: its run has begun. Never fails. */
  remove(run: string): void
  /** Deletes orders that were due before a time, and orders of runs that have begun. */
  prune(before: number): Promise<void>
}
