import type { Work } from '../dialogue/work.ts'
import type { SupportSettings } from './support-settings.ts'
import type { SupportState } from './support-state.ts'
import type { PolicyDecision } from '../primitives/policy-engine.ts'
import type { ToolResult } from '../primitives/tool-executor.ts'

/** The intent that hands over to a person, if there is one. */
export const HAND_OVER = 'hand_over'

/** The intent that takes it back, if there is one. No message is read as it: only the agent begins it. */
export const TAKE_BACK = 'take_back'

/** What closes the ticket of a conversation that its customer takes back; empty where nothing can. */
export const closingOf = (
  { registry }: SupportSettings,
  { eligible, dialogue: { handedOver: ticket } }: SupportState,
): readonly Work[] =>
  ticket !== null && registry.find(TAKE_BACK) !== undefined && eligible.includes(TAKE_BACK)
    ? [{ do: 'begin', intentId: TAKE_BACK, params: { ticket } }]
    : []

/** Whether a person can take over, who has not done so yet. */
export const canHandOver = (
  { registry }: SupportSettings,
  { eligible, dialogue }: SupportState,
): boolean =>
  registry.find(HAND_OVER) !== undefined &&
  eligible.includes(HAND_OVER) &&
  dialogue.handedOver === null

/** A decision without the offer of a colleague, where one has the conversation already. */
export function withoutSecondPerson(
  { dialogue }: SupportState,
  { instead, ...decision }: PolicyDecision,
): PolicyDecision {
  const isOffered = instead !== undefined && instead.offer === HAND_OVER
  return instead === undefined || (isOffered && dialogue.handedOver !== null)
    ? decision
    : { ...decision, instead }
}

export const ticketOf = (result: ToolResult | null): string | null => {
  const ticket = result?.data?.['ticket']
  return typeof ticket === 'string' ? ticket : null
}

/** Offers a colleague, who comes with a yes. */
export const offeringColleague = (state: SupportState): SupportState => ({
  ...state,
  dialogue: { ...state.dialogue, choices: [{ intentId: HAND_OVER, params: {} }] },
})
