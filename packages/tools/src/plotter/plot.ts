/** One trading day. `date` is ISO (2018-05-11); `close` is in the plot's unit. */
export type PlotPoint = {
  readonly date: string
  readonly close: number
}

/**
 * The content of a plot. Days ascend; `ma7` is as long as `series`, null where there is no average.
 */
export type Plot = {
  readonly series: readonly PlotPoint[]
  readonly ma7: readonly (number | null)[]
  /** Heading; null for one that names what is drawn. */
  readonly title: string | null
  /** Unit of the price axis, such as "US dollars". */
  readonly unit: string
}
