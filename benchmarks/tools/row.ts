/** One line of the tools benchmark: how a tool did on one data set. */
export interface Row {
  readonly set: string
  /** Rows that the file has. */
  readonly rows: number
  /** Rows that count: those that ask something the tool is made for. */
  readonly counted: number
  /** Of those that count. */
  readonly right: number
  /** What all of them took. */
  readonly seconds: number
  /** What a reader of the figures should know, as `absent: skipped`. */
  readonly note?: string
}

/** The row of a data set that is not on this machine. */
export const absent = (set: string): Row => ({
  set,
  rows: 0,
  counted: 0,
  right: 0,
  seconds: 0,
  note: 'absent: skipped',
})
