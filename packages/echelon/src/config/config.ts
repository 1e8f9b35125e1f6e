import type { Json } from '../core/value/json.ts'
import type { ProviderSettings } from '../core/model/model.ts'
import type { Origin } from './layer.ts'

/** What every configuration holds, besides the values of the tables that were registered. */
export interface BaseConfig {
  /** Servers and keys by the provider's key. Holds secrets: not for showing. */
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /** Providers whose address a file gave that nobody named: a key from elsewhere is not for it. */
  readonly foundAddresses: readonly string[]
  /** Every value and where it comes from, for showing: secrets are masked. */
  readonly values: readonly ConfigValue[]
  /** Sentences about what works and is probably not meant. */
  readonly warnings: readonly string[]
  /** The files that were there and were read. */
  readonly files: readonly string[]
}

/** One value, as it may be shown. */
export interface ConfigValue {
  /** Such as `budget.max_seconds`. */
  readonly path: string
  readonly value: Json
  readonly origin: Origin
}
