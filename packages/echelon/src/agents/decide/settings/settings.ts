import { EchelonError } from '../../../core/value/error.ts'
import { completed } from '../../../core/setting/setting-tree.ts'
import { type DecideSettings, SETTINGS } from './settings-table.ts'

export {
  type DecideSettings,
  type EscalateWhen,
  type Mode,
  MODES,
  UNCHECKED,
  type Unchecked,
} from './settings-table.ts'

/** Settings with any of them omitted; omitted ones have their defaults. */
export type PartialSettings = {
  readonly [Section in keyof DecideSettings]?: Partial<DecideSettings[Section]>
}

/**
 * Fills in the defaults and checks the settings.
 * @throws EchelonError INVALID_CONFIG that names the setting and its allowed values
 */
export const completeSettings = (given: PartialSettings = {}): DecideSettings => settingsFrom(given)

/**
 * Merges and checks sources of unknown origin; later sources override earlier ones.
 * @throws EchelonError INVALID_CONFIG; `details.problems` has every problem
 */
// The overload keeps the type: the table has a setting for each of its keys, and checks each value.
export function settingsFrom(...sources: readonly unknown[]): DecideSettings
export function settingsFrom(...sources: readonly unknown[]): unknown {
  return completed(SETTINGS, ...sources)
}

/** The default settings. */
export const DEFAULT_SETTINGS: DecideSettings = settingsFrom()

export const invalid = (message: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', message)
