import { CONFIRMATION } from '../../turn/dialogue.ts'
import { readAs, type Reading } from '../command.ts'
import {
  asksForDecision,
  asksForWaiting,
  directiveIn,
  wantsPersonToLook,
  withdrawsRequest,
} from '../directives.ts'
import type { Lesson } from '../lesson.ts'
import { thingsIn } from '../read-wishes.ts'
import { smallTalkIn } from '../social.ts'

/** Takes back a request that waits for a person. */
export function withdrawn(text: string, { context }: Lesson): Reading | null {
  const { blocked, open } = context.dialogue
  return blocked.length > 0 && open === null && withdrawsRequest(text)
    ? readAs([{ type: 'cancel-task' }], 'it takes back what waits')
    : null
}

/** A request about the conversation itself. */
export function directed(text: string, { context }: Lesson): Reading | null {
  const command = directiveIn(text)
  if (command !== null) return readAs([command], `it is a request to ${command.type}`)
  const { blocked, open } = context.dialogue
  // While something waits for a person, words of one may ask for news of it.
  if (blocked.length === 0 && wantsPersonToLook(text)) {
    return readAs([{ type: 'ask-person', params: {} }], 'it wants a person to look at it')
  }
  const asks = asksForDecision(text) || (blocked.length > 0 && asksForWaiting(text))
  return asks && open === null ? readAs([{ type: 'ask-waiting' }], 'it asks what waits') : null
}

/** Small talk, and nothing else. */
export function sociable(text: string, lesson: Lesson): Reading | null {
  const { context } = lesson
  const kinds = smallTalkIn(text)
  const isReply =
    context.dialogue.open?.param === CONFIRMATION && /\b(?:yes|yeah|yep|no|nope)\b/iu.test(text)
  if (kinds.length === 0 || isReply) return null
  // "Thanks, bye": the last one says where it goes.
  const kind = kinds.includes('insult') ? 'insult' : (kinds.at(-1) ?? 'praise')
  // "I hate this chair, I want rid of it" is about the chair.
  if (kind === 'insult' && thingsIn(text, lesson).length > 0) return null
  return readAs([{ type: 'small-talk', kind }], `it is ${kind}`)
}
