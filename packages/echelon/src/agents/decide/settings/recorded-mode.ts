import { EchelonError } from '../../../core/value/error.ts'
import { isJsonObject, type Json } from '../../../core/value/json.ts'
import { type Mode, MODES } from './settings.ts'

/**
 * The mode of a recorded run.
 * @throws EchelonError JOURNAL_MISMATCH if other code wrote the run
 */
export function modeOf(input: Json): Mode {
  const mode = isJsonObject(input) ? input['mode'] : undefined
  const known = MODES.find((one) => one === mode)
  if (known !== undefined) return known
  throw new EchelonError('JOURNAL_MISMATCH', 'the run was begun by other code; finish it there')
}
