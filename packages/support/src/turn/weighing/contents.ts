import { namedOrder } from '../../customer/resolution.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { Command } from '../../understand/command.ts'
import { HAND_OVER } from '../hand-over.ts'
import type { SupportState } from '../support-state.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { CANCEL } from '../../dialogue/known-intents.ts'

/** What can be done for something that was delivered. */
const REMEDIES = ['refund', 'return']
const REPORT: Command = { type: 'unclear', readings: REMEDIES, isReport: true }

/**
 * A wish for other contents of an order, by its state: what was delivered can no longer be changed, and what is being
 * prepared is not exchanged. A wish for what is missing, or for a new one of the same, is one of its own.
 */
export function contentsIn(
  state: SupportState,
  command: Extract<Command, { readonly type: 'ask-knowledge' }>,
): TaskCommand | null {
  const { text, dialogue } = state
  const { question } = command
  if (question === SECTIONS.replacements) return replaced(command, text)
  if (question !== SECTIONS.exchanges && question !== SECTIONS.changingOrder) return null
  const isOther = OF_OTHER.test(text)
  const status = statusOf(state)
  if (question === SECTIONS.exchanges && !isOther && ANEW.test(text)) return replaced(command, text)
  if (question === SECTIONS.exchanges && isOther) {
    return status === PREPARED
      ? { ...command, question: SECTIONS.changingOrder, offer: ['cancel'] }
      : null
  }
  if (status !== DELIVERED) return null
  if (isOther) return { ...command, question: SECTIONS.exchanges, offer: ['return'] }
  return dialogue.open === null && FEWER.test(text) && !MORE.test(text) ? REPORT : null
}

/** What is missing or broken is not sent again. */
const replaced = (
  command: Extract<Command, { readonly type: 'ask-knowledge' }>,
  text: string,
): Command => ({
  ...command,
  question: SECTIONS.replacements,
  offer: BROKEN.test(text) ? REMEDIES : ['refund', HAND_OVER],
})

/** A cancellation that is not named of what was delivered, "I want to get rid of it", is a report of it. */
export const riddance = (state: SupportState, { type, ...command }: Command): TaskCommand | null =>
  type === 'start-task' &&
  'intentId' in command &&
  command.intentId === CANCEL &&
  !NAMES_CANCEL.test(state.text) &&
  state.dialogue.open === null &&
  statusOf(state) === DELIVERED
    ? REPORT
    : null

const DELIVERED = 'delivered'
const PREPARED = 'processing'
const NAMES_CANCEL = /\bcancel\p{L}*|\bcall\p{L}* off\b|\bstop\b/iu

/** The state of the order that is named, or else of the one that is spoken of. */
function statusOf(state: SupportState): string | undefined {
  const { open, choices, about, last } = state.dialogue
  const spoken = [open?.params, choices[0]?.params, about, last?.params].find(
    (one) => one?.[ORDER] !== undefined,
  )
  const id = namedOrder(state) ?? spoken?.[ORDER]
  return ownOrdersIn(state.orders).find((one) => one.id === id)?.status
}

/** Another size, color or kind. */
const OF_OTHER =
  /\b(?:swap\p{L}*|exchang\p{L}*|trad(?:e|ed|ing)|switch\p{L}*|sizes?|colou?rs?|big(?:ger)?|small(?:er)?|large(?:r)?|tight(?:er)?|wide(?:r)?|long(?:er)?|short(?:er)?|fits?|different|xs|xxl|xl|[sml]|medium|red|green|blue|black|white|gr[ae]y)\b|\b(?:in|an?|the|need|want|took|have|get|ordered) \d{1,2}(?:[/.]\d{1,2})?s?\b(?!\.\d)/iu

/** The same once more. */
const ANEW =
  /\b(?:missing|send|sends|sent|ship|shipped|resend|replac\p{L}*|spare|another|new one|rather|not (?:the )?money|instead of (?:a |the )?(?:money|refund))\b/iu

const BROKEN =
  /\b(?:broke\p{L}*|damag\p{L}*|crack\p{L}*|defect\p{L}*|faulty|dead|torn|leak\p{L}*|chip\p{L}*|work\p{L}*|shatter\p{L}*|rip\p{L}*)\b/iu

const MORE = /\b(?:add|adding|added|more|another|also)\b/iu

/** Less of the same. */
const FEWER =
  /\b(?:twice|two|double[ds]?|both|too many|only (?:want\p{L}*|need\p{L}*|order\p{L}*|meant)|just (?:one|the one)|one (?:is|was) enough|surplus|extra|fewer|one less|the (?:one|other) back|cop(?:y|ies))\b/iu
