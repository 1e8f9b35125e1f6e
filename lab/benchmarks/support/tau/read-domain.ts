import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EchelonError } from '../../../../packages/echelon/src/core/value/error.ts'
import type { Domain } from './domain.ts'
import { readBase } from './read-base.ts'
import { readRuns, type RecordedRun } from './recorded-run.ts'
import type { BaseTables } from './tau-data.ts'

export interface DomainFiles {
  readonly base: BaseTables
  readonly runs: readonly RecordedRun[]
}

/**
 * The database and the records of a domain; `undefined` where a file is not there.
 * @throws EchelonError INVALID_INPUT for a file that is not what it should be
 */
export async function readDomain(
  { tables, records }: Domain,
  folder: string,
): Promise<DomainFiles | undefined> {
  const text = await readFile(join(folder, records), 'utf8').catch(() => undefined)
  const base = text === undefined ? undefined : await readBase(folder, tables)
  if (text === undefined || base === undefined) return undefined
  return { base, runs: runsIn(join(folder, records), text) }
}

function runsIn(path: string, text: string): readonly RecordedRun[] {
  try {
    const runs = readRuns(text)
    if (runs.some(({ exchanges }) => exchanges.some(({ turns }) => turns.length > 0))) return runs
  } catch (cause) {
    throw new EchelonError('INVALID_INPUT', `${path} is neither JSON Lines nor JSON`, { cause })
  }
  throw new EchelonError('INVALID_INPUT', `no row of ${path} has messages or actions with calls`)
}
