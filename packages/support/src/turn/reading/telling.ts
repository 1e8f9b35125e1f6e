import type { Intent } from '../../intent.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { intentsOf } from './offered.ts'
import { isReading } from './reads-only.ts'

/** The intent that tells the state of an order. */
export const telling = (settings: SupportSettings, state: SupportState): Intent | undefined =>
  intentsOf(settings, state).find(
    ({ id, requiredParams }) => requiredParams.includes(ORDER) && isReading(settings, id),
  )
