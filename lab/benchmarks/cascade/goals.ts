/** The goal of a benchmark on one data set, and its result. */
export interface GoalRow {
  readonly data: string
  /** Our figures, with standard errors. */
  readonly ours: string
  readonly goal: string
  readonly reached: boolean
  /** Figures of others, and of an ideal verifier. */
  readonly anchors: string
}

/** Collects what the sections reach, for the table at the end. */
export class Goals {
  readonly #rows: GoalRow[] = []

  add(row: GoalRow): void {
    this.#rows.push(row)
  }

  get areReached(): boolean {
    return this.#rows.every(({ reached }) => reached)
  }

  /**
   * The table in Markdown, with its date.
   * @param date ISO date
   */
  table(date: string): string {
    return [
      `Measured ${date} (± is the bootstrap standard error):`,
      '',
      '| data | ours | goal | reached | anchors |',
      '| --- | --- | --- | --- | --- |',
      ...this.#rows.map(
        ({ data, ours, goal, reached, anchors }) =>
          `| ${[data, ours, goal, reached ? 'yes' : 'NO', anchors].join(' | ')} |`,
      ),
    ].join('\n')
  }
}
