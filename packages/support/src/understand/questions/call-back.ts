import { HAND_OVER } from '../../turn/hand-over.ts'
import { readAs, type Reading } from '../command.ts'
import { intentRead, type Lesson } from '../lesson.ts'

const WHO =
  '(?:some(?:one|body)|any(?:one|body)|you(?: guys)?|a (?:colleague|person|human)|one of you|your (?:team|people|staff|colleagues?))'

/** "Can somebody call me?", "please ring me back"; not what the carrier or the delivery is wished for. */
const CALLS = new RegExp(
  `\\b${WHO} (?:please |just |maybe )?(?:call|phone|ring|telephone) (?:me|us)\\b|(?:^|[.!?,]\\s*|\\bplease )(?:call|phone|ring) (?:me|us)\\b|\\bgive (?:me|us) a (?:call|ring)\\b|\\b(?:want|need|like) (?:you|someone|somebody) to (?:call|phone|ring) (?:me|us)\\b`,
  'iu',
)

const OF_DELIVERY =
  /\b(?:driver|carrier|courier|postman|ups|usps|dhl|fedex|deliver\p{L}*|when (?:it|you|they)|before|if|didn'?t|did not|did|never|not)\b/iu

/** There is no telephone here: that is said, and a colleague is offered. */
export function callBack(text: string, lesson: Lesson): Reading | null {
  if (lesson.context.dialogue.blocked.length > 0) return null
  if (!CALLS.test(text) || OF_DELIVERY.test(text)) return null
  const intent = intentRead(text, lesson)
  return intent !== null && intent.id !== HAND_OVER
    ? null
    : readAs(
        [{ type: 'ask-knowledge', question: CALL_BACK, offer: [HAND_OVER] }],
        'it wants a call',
      )
}

/** A question that the documents answer. */
const CALL_BACK = 'is there a phone number'
