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

/** What of a file does not count because no known field held it; nothing where all of it does. */
export const leftOut = (rows: number, used: number): readonly string[] =>
  used < rows ? [`${rows - used} of ${rows} rows not understood`] : []
