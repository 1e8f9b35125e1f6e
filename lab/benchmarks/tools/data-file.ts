import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EchelonError } from '../../../packages/echelon/src/core/value/error.ts'
import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'

export type DataRow = Readonly<Record<string, unknown>>

/** A data set of the folder: JSON Lines or one JSON array. */
export interface DataFile {
  readonly rows: readonly DataRow[]
  /** The error for a file of which no row could be used. */
  unusable(wanted: string): EchelonError
}

/**
 * Reads a data set; `undefined` if the folder does not have it.
 * @throws EchelonError INVALID_INPUT for a file that is not JSON
 */
export async function readDataFile(folder: string, name: string): Promise<DataFile | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const rows = parse(name, text).filter(isRecord)
  return {
    rows,
    unusable: (wanted) =>
      new EchelonError(
        'INVALID_INPUT',
        `no row of ${name} has ${wanted} under a known name; its keys are: ${keysOf(rows)}`,
      ),
  }
}

/**
 * The first of these fields that a row has, in any case. Data sets hold the same fields under different names.
 */
export function pick(row: DataRow, names: readonly string[]): unknown {
  const keys = new Map(Object.keys(row).map((key) => [key.toLowerCase(), key]))
  const key = names.map((name) => keys.get(name.toLowerCase())).find((found) => found !== undefined)
  return key === undefined ? undefined : row[key]
}

function parse(name: string, text: string): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  try {
    const parsed: unknown = JSON.parse(
      text.trimStart().startsWith('[') ? text : `[${lines.join()}]`,
    )
    return Array.isArray(parsed) ? parsed : []
  } catch (cause) {
    throw new EchelonError('INVALID_INPUT', `${name} is neither JSON Lines nor JSON`, { cause })
  }
}

const keysOf = (rows: readonly DataRow[]): string => Object.keys(rows[0] ?? {}).join(', ') || 'none'
