import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { Command } from '../../understand/command.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { howMuchBack } from './how-much.ts'
import { refundInFull } from './in-full.ts'
import { raised } from './raised.ts'

/** What is said of the sum of a refund; `null` if nothing is. */
export const sumOfRefund = (
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null =>
  refundInFull(settings, state, command) ??
  raised(state, command) ??
  howMuchBack(settings, state, command)
