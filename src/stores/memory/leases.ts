/** Who may write what: a number may come twice, and never to the same holder who has it still. */
interface Row {
  fence: number
  holder: symbol | undefined
  run: string
  hasLapsed: boolean
}

export type LeaseRows = Map<string, Row>

/** A lease of this process. */
export interface Lease {
  readonly name: string
  /** Rises each time somebody takes it: who has an older one has lost it. */
  readonly fence: number
}

/** The run that a live process works on under this name. */
export function liveRun(rows: LeaseRows, name: string): string | undefined {
  const row = rows.get(name)
  return row?.holder === undefined || row.hasLapsed ? undefined : row.run
}

/** Whoever had it and let it lapse has lost it for good, though nobody took it. */
export function revokeLapsed(rows: LeaseRows, name: string): void {
  const row = rows.get(name)
  if (row?.hasLapsed !== true) return
  row.fence++
  row.holder = undefined
}

/** Whoever works on these runs writes them no more: they are gone, and so are their own rows. */
export function revoke(rows: LeaseRows, runs: ReadonlySet<string>): void {
  for (const [name, row] of rows) {
    if (!runs.has(row.run)) continue
    if (name === `run:${row.run}`) rows.delete(name)
    else if (row.holder !== undefined)
      Object.assign(row, { fence: row.fence + 1, holder: undefined })
  }
}

/** One process among those that share memory, as it holds leases. */
export class Leases {
  readonly #rows: LeaseRows
  readonly #holder = Symbol('holder')

  constructor(rows: LeaseRows) {
    this.#rows = rows
  }

  /** For somebody who has seen that no live process has it. */
  take(name: string, run: string): Lease {
    const fence = (this.#rows.get(name)?.fence ?? 0) + 1
    this.#rows.set(name, { fence, holder: this.#holder, run, hasLapsed: false })
    return { name, fence }
  }

  /** Whether nobody has taken it meanwhile: that it has lapsed alone does no harm. */
  holds({ name, fence }: Lease): boolean {
    const row = this.#rows.get(name)
    return row?.fence === fence && row.holder === this.#holder
  }

  /** Others may take it at once. One that was lost stays with whoever has it. */
  release(lease: Lease): void {
    const row = this.#rows.get(lease.name)
    if (row !== undefined && this.holds(lease)) row.holder = undefined
  }

  lapse(): void {
    for (const row of this.#rows.values()) if (row.holder === this.#holder) row.hasLapsed = true
  }
}
