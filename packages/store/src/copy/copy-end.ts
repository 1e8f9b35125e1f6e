import type { CopiedPart, CopiedRow, CopiedTable } from './copied-tables.ts'

/** One end of a copy: a store in one transaction, so that it stays as it is. */
export interface CopyEnd {
  /** For people, without a password. */
  readonly place: string
  count(table: CopiedTable): Promise<number>
  /** In batches. */
  rows(table: CopiedTable): AsyncIterable<readonly CopiedRow[]>
  close(): Promise<void>
}

export interface CopySource extends CopyEnd {
  /** The parts that it holds. */
  readonly parts: readonly CopiedPart[]
  /** Names a run or conversation in it that a live process holds; undefined if no process works on it. */
  heldBy(): Promise<string | undefined>
  /** Counts ordered runs that have not begun. Their queue is not copied. */
  waitingOrders(): Promise<number>
}

/** The end that is written. Nothing of it is visible, or left, before `commit`. */
export interface CopyTarget extends CopyEnd {
  put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>
  commit(): Promise<void>
}

/** Rows of one batch. */
export const BATCH = 500
