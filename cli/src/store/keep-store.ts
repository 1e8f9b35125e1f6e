import { STORE_FILE } from '../default-places.ts'
import { isThere } from '../is-there.ts'
import type { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import type { Config } from 'echelon/config'
import type { Store, StoreOptions } from '@echelon/store'

export interface StoreChoice {
  /** The file; false keeps nothing. */
  readonly store?: string | false
}

/** A recording holds all that there was; a run of it, or one answered from it, cannot be gone on with. */
export const NOT_BOTH =
  '--store keeps runs that can go on, and those of --record and --replay-models cannot; leave one of them out'

/** A file of runs and conversations that is open. */
export type OpenedStore = Store

/** The options of every command that keeps its runs. */
export const withStore = (command: Command): Command =>
  command
    .option(
      '--store <file>',
      `file for runs and conversations, with their full text; default: ${STORE_FILE}`,
    )
    .option('--no-store', 'do not store runs and conversations')

/**
 * Opens the store that a command was asked to keep its runs in, or else the configured one. A file
 * that was chosen must work; where the usual one does not, the run goes on without and it is said.
 * @returns nothing where none is to be kept
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
    say(`${error.message}; nothing of this is kept`)
    return undefined
  }
}

/**
 * The store that is there already: looking at runs makes no file.
 * @returns nothing where the usual one is not there
 * @throws EchelonError STORE_UNUSABLE, and INVALID_INPUT for a file that is named and is not there
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
 * Its file, not opened.
 * @returns nothing where the usual one is not there
 * @throws EchelonError INVALID_INPUT for a file that is named and is not there
 */
export function storeFileThere(
  { store }: StoreNamed,
  { records }: Pick<Config, 'records'>,
): string | undefined {
  const file = store ?? records.store_file ?? STORE_FILE
  if (isThere(file)) return file
  if (store === undefined) return undefined
  throw new EchelonError(
    'INVALID_INPUT',
    `there is no file ${file}; name one that --store kept, or leave it out for the usual one`,
  )
}

/** Kysely and SQLite are loaded where something is kept, and nowhere else. */
async function opened(file: string, how: StoreOptions = {}): Promise<OpenedStore> {
  const { openStore } = await import('@echelon/store')
  return openStore(file, how)
}
