import { type Message, userMessage } from '../core/message/thread.ts'

/** Longest evidence that is passed on, in characters: a judge may write pages. */
const LONGEST_EVIDENCE = 300

/** Evidence on one line, cut to what a prompt, an event or a state has room for. */
export const evidenceLine = (evidence: string): string =>
  evidence.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_EVIDENCE)

/** The message that tells the next model why an answer was not accepted. The answer itself is not passed on. */
export const promotionNote = (evidence: string): Message => userMessage(promotionText(evidence))

export const promotionText = (evidence: string): string =>
  `(An earlier draft of your next message was not accepted: ${evidenceLine(evidence)}. Write it anew, and do not mention the draft.)`
