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

/** Some settings; what is left out has its default. */
export type PartialSettings = {
  readonly [Section in keyof DecideSettings]?: Partial<DecideSettings[Section]>
}

/**
 * Settings with the defaults filled in, checked.
 * @throws EchelonError INVALID_CONFIG that names the setting and what it may be
 */
export const completeSettings = (given: PartialSettings = {}): DecideSettings => settingsFrom(given)

/**
 * The same from layers of unknown origin, the last one strongest.
 * @throws EchelonError INVALID_CONFIG; `details.problems` has every problem
 */
// The overload keeps the type: the table has a setting for each of its keys, and checks each value.
export function settingsFrom(...layers: readonly unknown[]): DecideSettings
export function settingsFrom(...layers: readonly unknown[]): unknown {
  return completed(SETTINGS, ...layers)
}

/** What holds where nobody says otherwise. */
export const DEFAULT_SETTINGS: DecideSettings = settingsFrom()

export const invalid = (message: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', message)
