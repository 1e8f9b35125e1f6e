import * as sentences from '../../wording/sentences.ts'
import { BY_RULE, readAs, type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'

/** Words that agree to something, and courtesies around them. */
const YES =
  "(?:(?:oh |well )?(?:yes|yeah|yep|yup|yea|yess+|sure(?: thing)?|of course|certainly|definitely|absolutely|by all means|why not|go ahead|go for it|go on|proceed|confirm(?:ed)?|(?:please )?do(?: (?:it|that|so|this))?|let'?s do (?:it|that)|i do|i am|i confirm|i'?m sure|exactly|correct|that(?:'?s| is) (?:it|right|correct|the one|all right|fine with me|what i want)|(?:yes,? )?it is|i (?:want|would like|'d like) (?:that|it|to)|i said yes|(?:please )?(?:start|request|make) (?:it|that)))"
const AROUND =
  '(?:please|pls|plz|ok|okay|alright|then|now|oh|well|so|just|for me|right|fine|good|actually|hm+|help(?: me)?)'

/** A yes from the beginning to the end. */
const ONLY_YES = new RegExp(
  `^\\W*(?:${AROUND}[\\s,.!-]+)*${YES}(?:[\\s,.!-]+(?:${YES}|${AROUND}))*[\\s,.!-]*$`,
  'iu',
)

/** Words with which the last answer offers a person to whoever says so. */
const OFFERS_PERSON = /\bsay that you want a person\b/iu

/** A yes where nothing is open and nothing was offered agrees to nothing, and wishes for nobody. */
export function yesToNothing(text: string, { context }: Lesson): Reading | null {
  const { open, choices, blocked, handedOver, last } = context.dialogue
  const isOpen = open !== null || choices.length > 0 || blocked.length > 0 || handedOver !== null
  if (isOpen || !ONLY_YES.test(text)) return null
  const answers = context.history.filter(({ role }) => role === 'agent').slice(-2)
  const answer = answers.at(-1)
  const before = answer?.text ?? ''
  if (OFFERS_PERSON.test(before)) {
    return readAs([{ type: 'ask-person', params: {} }], 'it wants the person who was spoken of')
  }
  // A question in between, such as what it would cost, leaves that open.
  if (last !== null && answers.some(({ text: said }) => said.endsWith(sentences.TELL_ME_IF))) {
    const { intentId, params } = last
    return readAs(
      [{ type: 'start-task', intentId, params, confidence: BY_RULE }],
      'it wants what was spoken of',
    )
  }
  // After a refusal, only a colleague can do more.
  if (answer?.metadata['outcome'] === 'denied') {
    const more = { type: 'ask-knowledge', question: '', isBeyond: true } as const
    return readAs([more], 'it says yes to a refusal')
  }
  return readAs([{ type: 'confirm' }], 'it says yes, and nothing was asked')
}
