/** One line of the tools benchmark: how a tool did on one data set. */
export interface Row {
  readonly set: string
  /** Rows that the file has. */
  readonly rows: number
  /** Rows that count: those that ask something the tool is made for. */
  readonly counted: number
  /** The number of counted rows that are right. */
  readonly right: number
  /** Counted rows with a wrong value. Absent where wrong values and refusals are counted together. */
  readonly wrong?: number
  /** Total time. */
  readonly seconds: number
  /** A note on the figures, such as `absent: skipped`. */
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

/** A note about rows that were skipped because they have no known field; empty if all count. */
export const leftOut = (rows: number, used: number): readonly string[] =>
  used < rows ? [`${rows - used} of ${rows} rows not understood`] : []
