import type { Intent } from '../../intent.ts'
import { TAKE_BACK } from '../hand-over.ts'
import type { Rung, SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'

/** The intents available to this customer here. */
export const intentsOf = ({ registry }: SupportSettings, state: SupportState): readonly Intent[] =>
  state.eligible.flatMap((id) => (id === TAKE_BACK ? [] : (registry.find(id) ?? [])))

/** The rung that reads the message. */
export const rungOf = ({ rungs }: SupportSettings, { rung }: SupportState): Rung =>
  rungs[rung] ?? 'embedded'
