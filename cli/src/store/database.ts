import { isPostgresAddress, postgresAddress } from '@echelon/store/internal/address'
import type { Config } from 'echelon/config'
import { EchelonError } from 'echelon/runtime'

/**
 * The configuration with a database in place of the store file. The database is not a setting, because settings
 * are shown and its address holds a password.
 * @throws EchelonError INVALID_INPUT for an address that cannot be read
 */
export function withDatabase(config: Config, address: string | undefined): Config {
  if (address === undefined || address === '') return config
  // Checked now, even if no store is opened.
  postgresAddress(address)
  return { ...config, records: { ...config.records, store_file: address } }
}

/** Replaces the address of the configured database, which holds a password. */
export const DATABASE = 'database'

/**
 * Returns the place that a user named: a file, an address, or, for `database`, the configured database.
 * @throws EchelonError INVALID_INPUT for `database` if none is configured
 */
export function placeNamed(said: string, { records }: Pick<Config, 'records'>): string {
  if (said !== DATABASE) return said
  const { store_file: configured } = records
  if (configured !== null && isPostgresAddress(configured)) return configured
  throw new EchelonError(
    'INVALID_INPUT',
    'no database is configured; set ECHELON_DATABASE to its address, or write the address itself',
  )
}
