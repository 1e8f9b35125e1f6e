import { itemsOfOrder, namedOrder } from '../../../customer/resolution.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import { doubtOfYes } from '../../../dialogue/veto.ts'
import { BY_RULE, readAs, type Reading } from '../../../understand/command.ts'
import { subjectOf, subjectsIn } from '../../../understand/replies/plain-reply.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { intentsOf } from '../offered.ts'

/** Longer texts tell more than that it is to be done. */
const MOST_WORDS = 14

/** "Can I send back a lamp without its box?", answered from the rules, and then "ok do it, just the lamp". */
export function wantedAfterRules(settings: SupportSettings, state: SupportState): Reading | null {
  const { open, choices, blocked, handedOver } = state.dialogue
  if (open !== null || choices.length > 0 || blocked.length > 0 || handedOver !== null) return null
  const { text, history } = state
  if (text.split(/\s+/u).length > MOST_WORDS || !ORDERS_IT.test(text)) return null
  if (doubtOfYes(text) !== null || subjectsIn(text).length > 0) return null
  const answer = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const asked = history.findLast(({ role }) => role === 'user')?.text ?? ''
  if (!answer.includes('(From: ') || !MAY_I.test(asked)) return null
  const [subject, ...more] = subjectsIn(asked)
  const intent = intentsOf(settings, state).find(
    ({ id, confirm, params }) =>
      confirm && params[ORDER] !== undefined && subjectOf(id) === subject,
  )
  if (subject === undefined || more.length > 0 || intent === undefined) return null
  const meant = namedOrder(state) === null ? { ...state, text: asked } : state
  const order = namedOrder(meant)
  if (order === null) return null
  const params = { [ORDER]: order, ...itemsOfOrder(meant, intent, { [ORDER]: order }) }
  const task = { intentId: intent.id, params, confidence: BY_RULE }
  return readAs([{ type: 'start-task', ...task }], 'it orders what it asked about')
}

/** Words that order it, and at most the thing besides. */
const ORDERS_IT =
  /^\W*(?:(?:ok(?:ay)?|k|alright|all right|great|good|perfect|cool|nice|fine|yes|yeah|yep|yup|sure|then|well|thanks|thank you|so|please)[\s,.!]+)*(?:(?:let'?s|lets|please|just|then) )*(?:do (?:it|that)|go ahead|start (?:it|that)|go for it)\b(?: (?:then|please|for me|now))*[\s,.!-]*(?:(?:please |but |and )?(?:(?:for|with) )?(?:(?:just|only) )?(?:the|my) (?:\p{L}+ ){0,2}?\p{L}+(?: only)?(?: please)?)?\W*$/iu

/** A question whether it is possible. */
const MAY_I = /\b(?:can|could|may|am|is|are|would|will|do)\b/iu
