import type { Json } from '../core/value/json.ts'
import type { ProviderSettings } from '../core/model/model.ts'
import type { Origin } from './settings-source.ts'

/** The part of every configuration that does not come from registered tables. */
export interface BaseConfig {
  /** Servers and keys by provider key. Holds secrets: do not show it. */
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /**
   * Providers whose address comes from a file that was not named explicitly: never send them keys
   * from elsewhere.
   */
  readonly foundAddresses: readonly string[]
  /** Every value with its origin, for display: secrets are masked. */
  readonly values: readonly ConfigValue[]
  /** Sentences about settings that work but are probably unintended. */
  readonly warnings: readonly string[]
  /** The files that were read. */
  readonly files: readonly string[]
}

/** One value for display. */
export interface ConfigValue {
  /** Such as `budget.max_seconds`. */
  readonly path: string
  readonly value: Json
  readonly origin: Origin
}
