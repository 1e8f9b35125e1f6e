/** A request of the benchmark to a server's process. */
export interface Asked {
  /** Frames that the bare server streams from now on. */
  readonly frames?: readonly string[]
}

/** The answer of the process. */
export interface Told {
  readonly url: string
  /** Bytes on the heap and beside it, after a collection. */
  readonly held: number
  readonly rss: number
  /** CPU time of the process so far. */
  readonly cpuMs: number
}
