import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EchelonError } from '../../../../packages/echelon/src/core/value/error.ts'
import { parsePython } from '../python/json.ts'
import { type Dict, isDict } from '../python/value.ts'
import type { BaseTables } from './tau-data.ts'

/**
 * The tables of a domain, each a file of records by id in the folder `db`; `undefined` where one is
 * not there.
 * @throws EchelonError INVALID_INPUT for a file that is not a JSON object of objects
 */
export async function readBase(
  folder: string,
  names: readonly string[],
): Promise<BaseTables | undefined> {
  const tables = new Map<string, ReadonlyMap<string, Dict>>()
  for (const name of names) {
    const path = join(folder, 'db', `${name}.json`)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    tables.set(name, recordsOf(path, text))
  }
  return tables
}

function recordsOf(path: string, text: string): ReadonlyMap<string, Dict> {
  const wrong = (cause?: unknown): EchelonError =>
    new EchelonError('INVALID_INPUT', `${path} is no JSON object with a record under each id`, {
      cause,
    })
  try {
    const parsed = parsePython(text)
    if (!isDict(parsed)) throw wrong()
    return new Map(
      [...parsed].map(([id, record]) => {
        if (!isDict(record)) throw wrong()
        return [id, record]
      }),
    )
  } catch (cause) {
    throw cause instanceof EchelonError ? cause : wrong(cause)
  }
}
