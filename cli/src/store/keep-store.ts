import { isPostgresAddress } from '@echelon/store/internal/address'
import { STORE_FILE } from '../default-places.ts'
import { fileExists } from '../file-exists.ts'
import type { Command } from 'commander'
import { EchelonError } from 'echelon/internal/value'
import type { Config } from 'echelon/config'
import type { Store, StoreOptions } from '@echelon/store'

export interface StoreChoice {
  /** The store file; false stores nothing. */
  readonly store?: string | false
}

/** Recorded and replayed runs cannot be resumed. */
export const NOT_BOTH =
  '--store keeps runs that can be resumed, but those of --record and --replay-models cannot; leave one of them out'

/** An open store of runs and conversations. */
export type OpenedStore = Store

/** The options of every command that stores its runs. */
export const withStore = (command: Command): Command =>
  command
    .option(
      '--store <file>',
      `file for runs and conversations, with their full text; default: ${STORE_FILE}`,
    )
    .option('--no-store', 'do not store runs and conversations')

/**
 * Opens the store given by --store, or else the configured one. A chosen file must work; if the default
 * one does not, the run continues without a store and says so.
 * @returns undefined if nothing is to be stored
 * @throws EchelonError STORE_UNUSABLE
 */
export async function keepStore(
  asked: StoreChoice,
  { records }: Pick<Config, 'records'>,
  say: (sentence: string) => void,
): Promise<OpenedStore | undefined> {
  const file = asked.store ?? records.store_file ?? false
  if (file === false) return undefined
  try {
    return await opened(file)
  } catch (error) {
    const isUsual = asked.store === undefined && file === STORE_FILE
    if (!isUsual || !(error instanceof EchelonError)) throw error
    say(`${error.message}; this run is not stored`)
    return undefined
  }
}

/**
 * Opens an existing store; never creates a file.
 * @returns undefined if the default one does not exist
 * @throws EchelonError STORE_UNUSABLE, and INVALID_INPUT if the given file does not exist
 */
export async function storeThere(
  asked: StoreNamed,
  config: Pick<Config, 'records'>,
): Promise<OpenedStore | undefined> {
  const file = storeFileThere(asked, config)
  return file === undefined ? undefined : opened(file, { look: true })
}

interface StoreNamed {
  readonly store?: string
}

/**
 * Path of an existing store, or the address of a database.
 * @returns undefined if the default one does not exist
 * @throws EchelonError INVALID_INPUT if the given file does not exist
 */
export function storeFileThere(
  { store }: StoreNamed,
  { records }: Pick<Config, 'records'>,
): string | undefined {
  const file = store ?? records.store_file ?? STORE_FILE
  if (isPostgresAddress(file) || fileExists(file)) return file
  if (store === undefined) return undefined
  throw new EchelonError(
    'INVALID_INPUT',
    `there is no file ${file}; name a store, or leave --store out for the default`,
  )
}

/** Loaded on demand: only a store needs Kysely and SQLite. */
async function opened(file: string, how: StoreOptions = {}): Promise<OpenedStore> {
  const { openStore } = await import('@echelon/store')
  return openStore(file, how)
}
