import { isOnlyItems, namedOrder, namesOrders } from '../../customer/resolution.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { readAs, type Reading } from '../../understand/command.ts'
import { asks } from '../../understand/read-questions.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { isReading } from './reads-only.ts'
import { telling } from './telling.ts'

/** Whether a message only names an order while a question is open: "for the pan order", "just the lamp". */
export function onlyNamesOrder(
  settings: SupportSettings,
  state: SupportState,
  reading: Reading,
): boolean {
  const { open } = state.dialogue
  const isShort = state.text.trim().split(/\s+/).length <= 5
  const isAlone = open?.param === ORDER && isOnlyItems(state)
  if (state.text.includes('?') && !isAlone) return false
  if (open === null || !isShort || asks(state.text)) return false
  const isOfOpen =
    open.param === ORDER ? namesOrders(state) : namedOrder(state) === open.params[ORDER]
  return (
    isOfOpen &&
    namedOrder(state) !== null &&
    (isOnlyItems(state) ||
      reading.commands.every(
        (one) => one.type === 'start-task' && isReading(settings, one.intentId),
      ))
  )
}

/** "Just the lamp", as the answer to which order it is about, or as another order than the open one. */
export function orderNamed(state: SupportState): Reading | null {
  const { open } = state.dialogue
  if (open === null || !namesOrders(state)) return null
  if (open.param === ORDER) return readAs([{ type: 'set-slots', params: {} }], 'it names an order')
  const named = namedOrder(state)
  if (named === null || state.text.includes('?')) return null
  const command = { type: 'correct-slots', intentId: open.intentId, params: {} } as const
  return readAs([command], 'it names an order, or an item of it')
}

/** Only the identifier that is known already: the question is asked once more, as it is. */
export function sameAgain({ dialogue: { open }, text }: SupportState): Reading | null {
  const known = open?.param === ORDER ? undefined : open?.params[ORDER]
  const isSame = typeof known === 'string' && text.trim().replace(/[.!]+$/, '') === known
  return isSame ? readAs([{ type: 'repeat' }], 'it names the order once more') : null
}

/** "Running shoes??": a message that only names an order asks where the order is. */
export function itemAlone(settings: SupportSettings, state: SupportState): Reading | null {
  const { dialogue, text } = state
  const named = dialogue.open === null && isOnlyItems(state) ? namedOrder(state) : null
  const first = telling(settings, state)
  if (named === null || first === undefined || text.length > 60) return null
  // It tells what the choice that was offered is about, and chooses nothing.
  const offered = dialogue.choices.map(({ intentId }) => intentId)
  if (offered.length > 1) {
    return readAs([{ type: 'unclear', readings: offered }], 'it names what it is about')
  }
  const params = { [ORDER]: named }
  return readAs(
    [{ type: 'start-task', intentId: first.id, params, confidence: 1 }],
    'it names nothing but a thing of an order',
  )
}
