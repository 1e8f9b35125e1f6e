import { postgresAddress } from '@echelon/store/internal/address'
import type { Config } from 'echelon/config'

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
