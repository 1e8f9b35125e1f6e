import { postgresAddress } from '@echelon/store/internal/address'
import type { Config } from 'echelon/config'

/**
 * The configuration with a database in the place of the store file. It is no setting of its own: its
 * address holds a password, and settings are shown.
 * @throws EchelonError INVALID_INPUT for an address that cannot be read
 */
export function withDatabase(config: Config, address: string | undefined): Config {
  if (address === undefined || address === '') return config
  // Checked now, also where no store is opened.
  postgresAddress(address)
  return { ...config, records: { ...config.records, store_file: address } }
}
