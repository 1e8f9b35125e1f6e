import { EchelonError } from 'echelon/internal/value'
import { isPostgresAddress } from '../postgres/connection/address.ts'
import { withClient } from '../postgres/connection/with-client.ts'
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts'
import type { CopyEnd, CopyTarget } from './copy-end.ts'
import { TableDigest, type TableFacts } from './table-digest.ts'

/** Progress of a copy, in rows. */
export interface CopyProgress {
  readonly done: number
  readonly total: number
}

export interface CopyOptions {
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
}

/**
 * Copies a store between two files, two databases, or one of each: whole, or not at all. It is written
 * in one transaction, read back, and compared row by row before that is committed. Nobody may work on
 * either meanwhile.
 * @param from a file, or the address of a PostgreSQL database
 * @param to the same; a new or empty one
 * @throws EchelonError INVALID_INPUT if a live process works on the source, or the target holds
 * something else; STORE_UNUSABLE and STORE_DAMAGED; nothing is left in the target then
 */
export async function copyStore(
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<CopiedStore> {
  const source = await sourceAt(from)
  try {
    await refuseHeld(source)
    const target = await targetAt(to)
    try {
      return await copyInto(source, target, options)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function sourceAt(address: string): Promise<CopyEnd> {
  return isPostgresAddress(address)
    ? (await withClient(() => import('./postgres-end.ts'))).postgresSource(address)
    : (await import('./sqlite-end.ts')).sqliteSource(address)
}

async function targetAt(address: string): Promise<CopyTarget> {
  return isPostgresAddress(address)
    ? (await withClient(() => import('./postgres-end.ts'))).postgresTarget(address)
    : (await import('./sqlite-end.ts')).sqliteTarget(address)
}

async function refuseHeld(source: CopyEnd): Promise<void> {
  const held = await source.heldBy()
  if (held === undefined) return
  throw new EchelonError(
    'INVALID_INPUT',
    `a live process works on ${held} in ${source.place}; stop all that use it, and copy then`,
  )
}

type Facts = ReadonlyMap<CopiedTable, TableFacts>

async function copyInto(
  source: CopyEnd,
  target: CopyTarget,
  { onProgress, signal }: CopyOptions,
): Promise<CopiedStore> {
  const total = await countOf(source)
  const there = await countOf(target)
  if (there > 0) return compareWhole(source, target)
  const written = new Map<CopiedTable, TableFacts>()
  let done = 0
  for (const table of COPIED_TABLES) {
    const digest = new TableDigest()
    for await (const rows of source.rows(table)) {
      signal?.throwIfAborted()
      for (const row of rows) digest.add(row)
      await target.put(table, rows)
      done += rows.length
      onProgress?.({ done, total })
    }
    written.set(table, digest.facts())
  }
  signal?.throwIfAborted()
  const differs = difference(written, await factsOf(target))
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
async function compareWhole(source: CopyEnd, target: CopyTarget): Promise<CopiedStore> {
  const [has, had] = [await factsOf(source), await factsOf(target)]
  if (difference(has, had) === undefined) return { rows: rowsIn(has), wasThere: true }
  throw new EchelonError(
    'INVALID_INPUT',
    `${target.place} holds other data already; name a new file, or an empty database or schema`,
  )
}

async function countOf(end: CopyEnd): Promise<number> {
  let count = 0
  for (const table of COPIED_TABLES) count += await end.count(table)
  return count
}

async function factsOf(end: CopyEnd): Promise<Facts> {
  const facts = new Map<CopiedTable, TableFacts>()
  for (const table of COPIED_TABLES) {
    const digest = new TableDigest()
    for await (const rows of end.rows(table)) for (const row of rows) digest.add(row)
    facts.set(table, digest.facts())
  }
  return facts
}

const difference = (some: Facts, others: Facts): CopiedTable | undefined =>
  COPIED_TABLES.find((table) => {
    const [one, other] = [some.get(table), others.get(table)]
    return one?.rows !== other?.rows || one?.digest !== other?.digest
  })

const rowsIn = (facts: Facts): Readonly<Record<string, number>> =>
  Object.fromEntries([...facts].map(([table, { rows }]) => [table, rows]))
