import { EchelonError } from 'echelon/internal/value'
import { isPostgresAddress } from '../postgres/connection/address.ts'
import { withClient } from '../postgres/connection/with-client.ts'
import { type CopiedPart, type CopiedTable, tablesOf } from './copied-tables.ts'
import type { CopyEnd, CopySource, CopyTarget } from './copy-end.ts'
import { TableDigest, type TableFacts } from './table-digest.ts'

/** Progress of a copy, in rows. */
export interface CopyProgress {
  readonly done: number
  readonly total: number
}

export interface CopyOptions {
  /** One of the two that a database may hold. Default: all that the source holds. */
  readonly only?: CopiedPart
  /**
   * Whether to go on although runs were ordered in the source that have not begun, which are left out: their queue is
   * not copied. Default false: the copy is refused.
   */
  readonly withoutOrders?: boolean
  /** Called after each batch. */
  readonly onProgress?: (progress: CopyProgress) => void
  /** Cancels the copy; nothing is left of it. */
  readonly signal?: AbortSignal
}

/** The result of a copy. */
export interface CopiedStore {
  /** By table. */
  readonly rows: Readonly<Record<string, number>>
  /** The target held the same already, and nothing was written. */
  readonly wasThere: boolean
  /** Number of ordered runs that have not begun, and were left out. */
  readonly orders: number
}

/**
 * Copies a store, knowledge, or both between two files, two databases, or one of each: whole, or not at
 * all. A file holds one of the two. The copy is written
 * in one transaction, read back, and compared row by row before the commit. No process may work on
 * either side meanwhile.
 * @param from a file, or the address of a PostgreSQL database
 * @param to the same; a new or empty one
 * @throws EchelonError INVALID_INPUT if a live process works on the source, if it holds ordered runs that have not
 * begun, if the target holds
 * something else, or if it is a file and the source holds both; STORE_UNUSABLE and STORE_DAMAGED; nothing is left in the target then
 */
export async function copyStore(
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<CopiedStore> {
  const source = await sourceAt(from)
  try {
    const parts = partsToCopy(source, to, options.only)
    const hasStore = parts.includes('store')
    if (hasStore) await refuseHeld(source)
    const orders = hasStore ? await ordersLeftOut(source, options) : 0
    const target = await targetAt(to, parts)
    try {
      return { ...(await new Copy(source, target, parts.flatMap(tablesOf)).run(options)), orders }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function partsToCopy(
  { parts, place }: CopySource,
  to: string,
  only: CopiedPart | undefined,
): readonly CopiedPart[] {
  const asked = only === undefined ? parts : parts.filter((part) => part === only)
  if (asked.length === 0) {
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no ${only ?? 'store'} in ${place}; name the place that holds it`,
    )
  }
  if (asked.length > 1 && !isPostgresAddress(to)) {
    throw new EchelonError(
      'INVALID_INPUT',
      `${place} holds a store and knowledge, and a file holds only one of them; copy each to a file of its own: once with --only store, once with --only knowledge`,
    )
  }
  return asked
}

async function sourceAt(address: string): Promise<CopySource> {
  return isPostgresAddress(address)
    ? (await withClient(() => import('./postgres-end.ts'))).postgresSource(address)
    : (await import('./sqlite-end.ts')).sqliteSource(address)
}

async function targetAt(address: string, parts: readonly CopiedPart[]): Promise<CopyTarget> {
  return isPostgresAddress(address)
    ? (await withClient(() => import('./postgres-end.ts'))).postgresTarget(address, parts)
    : (await import('./sqlite-end.ts')).sqliteTarget(
        address,
        parts.includes('knowledge') ? 'knowledge' : 'store',
      )
}

async function refuseHeld(source: CopySource): Promise<void> {
  const held = await source.heldBy()
  if (held === undefined) return
  throw new EchelonError(
    'INVALID_INPUT',
    `a live process works on ${held} in ${source.place}; stop all that use it, and copy then`,
  )
}

/** @throws EchelonError INVALID_INPUT if there are any, unless the caller knows */
async function ordersLeftOut(
  source: CopySource,
  { withoutOrders = false }: CopyOptions,
): Promise<number> {
  const orders = await source.waitingOrders()
  if (orders === 0 || withoutOrders) return orders
  const [runs, them] =
    orders === 1 ? ['1 ordered run has', 'it'] : [`${orders} ordered runs have`, 'them']
  throw new EchelonError(
    'INVALID_INPUT',
    `${runs} not begun in ${source.place}, and a copy would lose ${them}: let the workers begin ${them}, cancel ${them}, or copy without ${them} (--without-orders, in a program withoutOrders)`,
    { details: { orders } },
  )
}

type Facts = ReadonlyMap<CopiedTable, TableFacts>

class Copy {
  readonly #source: CopySource
  readonly #target: CopyTarget
  readonly #tables: readonly CopiedTable[]

  constructor(source: CopySource, target: CopyTarget, tables: readonly CopiedTable[]) {
    this.#source = source
    this.#target = target
    this.#tables = tables
  }

  async run({ onProgress, signal }: CopyOptions): Promise<Omit<CopiedStore, 'orders'>> {
    const target = this.#target
    const total = await this.#countOf(this.#source)
    const there = await this.#countOf(target)
    if (there > 0) return this.#compareWhole()
    const written = new Map<CopiedTable, TableFacts>()
    let done = 0
    for (const table of this.#tables) {
      const digest = new TableDigest()
      for await (const rows of this.#source.rows(table)) {
        signal?.throwIfAborted()
        for (const row of rows) digest.add(row)
        await target.put(table, rows)
        done += rows.length
        onProgress?.({ done, total })
      }
      written.set(table, digest.facts())
    }
    signal?.throwIfAborted()
    const differs = this.#difference(written, await this.#factsOf(target))
    if (differs !== undefined) {
      throw new EchelonError(
        'STORE_DAMAGED',
        `the table ${differs} in ${target.place} did not come back as it was written; nothing was kept there: check the disk of the target`,
      )
    }
    await target.commit()
    return { rows: rowsIn(written), wasThere: false }
  }

  /** A copy that was made before, such as one whose end was not seen, is not an error. */
  async #compareWhole(): Promise<Omit<CopiedStore, 'orders'>> {
    const [has, had] = [await this.#factsOf(this.#source), await this.#factsOf(this.#target)]
    if (this.#difference(has, had) === undefined) return { rows: rowsIn(has), wasThere: true }
    throw new EchelonError(
      'INVALID_INPUT',
      `${this.#target.place} holds other data already; name a new file, or an empty database or schema`,
    )
  }

  async #countOf(end: CopyEnd): Promise<number> {
    let count = 0
    for (const table of this.#tables) count += await end.count(table)
    return count
  }

  async #factsOf(end: CopyEnd): Promise<Facts> {
    const facts = new Map<CopiedTable, TableFacts>()
    for (const table of this.#tables) {
      const digest = new TableDigest()
      for await (const rows of end.rows(table)) for (const row of rows) digest.add(row)
      facts.set(table, digest.facts())
    }
    return facts
  }

  #difference(some: Facts, others: Facts): CopiedTable | undefined {
    return this.#tables.find((table) => {
      const [one, other] = [some.get(table), others.get(table)]
      return one?.rows !== other?.rows || one?.digest !== other?.digest
    })
  }
}

const rowsIn = (facts: Facts): Readonly<Record<string, number>> =>
  Object.fromEntries([...facts].map(([table, { rows }]) => [table, rows]))
