import { ITEM, ORDER } from '../../../customer/resolve-order.ts'
import { ownOrdersIn } from '../../../customer/own-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import { RETURN } from '../../../dialogue/known-intents.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { withoutListed } from '../parcels/listing.ts'

/** The commands of a message without those that would say, or do, what another one does. */
export const withoutRepeats = (
  settings: SupportSettings,
  state: SupportState,
  commands: readonly TaskCommand[],
): readonly TaskCommand[] =>
  withoutListed(settings, state, withoutSecond(settings, withoutUnderWay(state, commands)))

/** "My return, who fetches it?": a return that is under way is not asked for beside a question. */
const withoutUnderWay = (
  { orders }: SupportState,
  commands: readonly TaskCommand[],
): readonly TaskCommand[] => {
  if (!commands.some(({ type }) => type === 'ask-knowledge')) return commands
  const returned = ownOrdersIn(orders).filter(({ status }) => status === 'return_started')
  return commands.filter(
    (one) =>
      one.type !== 'start-task' ||
      one.intentId !== RETURN ||
      returned.every(({ id }) => id !== one.params[ORDER]),
  )
}

/** Whether two parts of a message mean the same, which is answered once. */
export const isSame = (one: TaskCommand, other: TaskCommand): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** "Cancel it and refund me": one thing alone is done to an order at once, the one asked for first. */
const withoutSecond = (
  { registry }: SupportSettings,
  commands: readonly TaskCommand[],
): readonly TaskCommand[] => {
  const taken = new Set<string>()
  return commands.filter((command) => {
    if (command.type !== 'start-task') return true
    const { confirm = false, whileStatus = [] } = registry.find(command.intentId) ?? {}
    const { [ORDER]: id, [ITEM]: item = null } = command.params
    if (!confirm || whileStatus.length === 0 || id === undefined) return true
    const key = JSON.stringify([id, item])
    const isFirst = !taken.has(key)
    taken.add(key)
    return isFirst
  })
}
