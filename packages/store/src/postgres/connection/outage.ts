/** The last time in which the server was away, as this process saw it. */
export class Outage {
  #since: number | undefined
  #last: { readonly ms: number; readonly endedAt: number } | undefined

  begin(): void {
    this.#since ??= performance.now()
  }

  end(): void {
    if (this.#since === undefined) return
    const endedAt = performance.now()
    this.#last = { ms: endedAt - this.#since, endedAt }
    this.#since = undefined
  }

  /** How long it was, if it ended at most `forMs` milliseconds ago; else 0. */
  ms(forMs: number): number {
    if (this.#last === undefined || performance.now() - this.#last.endedAt > forMs) return 0
    return this.#last.ms
  }
}
