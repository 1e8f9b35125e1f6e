import { CONFIRMATION } from '../../turn/dialogue.ts'
import { HAND_OVER } from '../../turn/hand-over.ts'
import { doubtOfYes } from '../../dialogue/veto.ts'
import { type Reading, readAs } from '../command.ts'
import type { Lesson } from '../lesson.ts'

/** Longer texts hold more than an answer to what was offered. */
const MOST_CHARACTERS = 120

/** The answer to one thing that the last answer offered, such as a colleague. */
export function answeredOffer(text: string, { context }: Lesson): Reading | null {
  const { choices, open } = context.dialogue
  const [choice, ...others] = choices
  if (choice === undefined || others.length > 0 || open !== null) return null
  if (text.includes('?') || text.length > MOST_CHARACTERS || PLEADS.test(text)) return null
  if (declinesOffer(text)) return readAs([{ type: 'deny' }], 'it declines what was offered')
  const accepts =
    choice.intentId === HAND_OVER
      ? ACCEPTS.test(text)
      : ACCEPTS.test(text) || (AGREES.test(text) && doubtOfYes(text) === null)
  return accepts ? readAs([{ type: 'confirm' }], 'it accepts what was offered') : null
}

/** It objects. */
const PLEADS = /^\W*(?:oh|come on)\W+please\W*$/iu

const YES =
  "(?:yes|yeah|yep|yup|yea|ya|sure|ok|okay|k|alright|all right|of course|absolutely|definitely|certainly|go ahead|do (?:it|that|so)|please(?: do(?: (?:it|that|so))?)?|(?:(?:that|it) )?(?:would|will|might) (?:be|help)(?: (?:very |so |really )?(?:great|good|nice|lovely|perfect|fine|best|helpful|wonderful|awesome|ideal|kind)(?: of you)?)?|that'?d be (?:great|good|nice|lovely|perfect|fine)|(?:i'?d|i would) (?:like|love|appreciate) (?:that|it)|sounds (?:good|great|fine)|by all means|why not|if you (?:can|could|would|don'?t mind|like)|go for it|yes please|let'?s do (?:it|that)|(?:get|let|ask|have) (?:a |one of your |your |the )?(?:colleagues?|someone|somebody|them)(?: (?:to |who )?(?:look(?: (?:at|into) (?:it|this|that))?|check(?: (?:it|this|that))?|help(?: me)?|can(?: help)?|know\\p{L}*))?)"
const ASIDE =
  "(?:then|now|well|oh|so|thank you(?: so much| very much)?|thanks(?: a lot)?|thx|that'?s (?:kind|nice)(?: of you)?|i'?d appreciate (?:it|that)|for me)"

/** A yes from the beginning to the end. "Ok, thanks" is most often no more than that. */
const ACCEPTS = new RegExp(
  `^\\W*(?:${ASIDE}[\\s,.!-]+)*${YES}(?:[\\s,.!-]+(?:${YES}|then|now|for me))*(?:(?<!^\\W*(?:ok|okay|k|alright|all right))[\\s,.!-]+${ASIDE})*\\W*$`,
  'iu',
)

/** A yes at the beginning, whatever it names: what is offered is confirmed before it is done. */
const AGREES =
  /^\W*(?:(?:ok|okay|alright|well|then|oh)[\s,.!-]+)*(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|please do|go ahead|do (?:it|that))(?!\p{L})/iu

const SELF =
  /\b(?:i(?:'ll| will|'d rather| would rather| can|'m going to| am going to)|ill|let me)\b[^.!?]*\b(?:myself|my own|on my own|alone|wait|manage|cope|live with (?:it|that)|leave it|pass|figure it out|think about it|keep (?:it|them))\b/iu
const NEEDLESS =
  /\b(?:no need|not (?:needed|necessary|worth it)|(?:don'?t|do not|dont) (?:bother|worry|trouble)(?: (?:anyone|anybody|them|a colleague|your colleagues?))?|never ?mind|(?:forget|skip|drop)(?: about)? (?:it|that|the (?:refund|return|money|whole thing))|nothing(?: please| thanks)?(?=\W*$)|neither|none of (?:them|these|those|that)|leave it|let it be|(?:it'?s|that'?s|it is|that is|its|thats) (?:fine|ok|okay|all right|alright|not (?:that )?(?:important|urgent))|i'?m (?:fine|good|ok)|not now|maybe later|no thanks?|no thank you)\b/iu
const NO = /^\W*(?:(?:ok|okay|well|hm+|oh)[\s,.!-]+)*(?:no|nope|nah)(?!\p{L})/iu
/** A request of its own goes on where the offer is declined. */
const ASKS_FOR =
  /\?|\b(?:but|instead|rather|please|refund|return|cancel|money|send|change|want|need|give|where|when|what|how|why|which|who|just(?! (?:hop\p{L}*|wonder\p{L}*|ask\p{L}*|curious|check\p{L}*|thought|thinking|wish\p{L}*|figured|try\p{L}*)\b))\b/iu

/** Whether a text declines what was offered, and asks for nothing else. */
export const declinesOffer = (text: string): boolean =>
  // "Sure, I can wait till Monday" agrees.
  SELF.test(text) && !AGREES.test(text)
    ? !/\?|\b(?:refund|return|cancel|money|please)\b/iu.test(text)
    : (NEEDLESS.test(text) || NO.test(text)) && !ASKS_FOR.test(text.split(NEEDLESS).join(' '))

/** Whether what was offered is plainly declined before anything else: "no thank you, home is fine". */
export const beginsWithDecline = (text: string): boolean =>
  /^\W*(?:(?:ok|okay|well|hm+|oh)[\s,.!-]+)*(?:no,? (?:thanks?|thank you|thx|need|it'?s (?:fine|ok(?:ay)?)|that'?s (?:fine|ok(?:ay)?))|never ?mind|leave it|don'?t bother)(?!\p{L})/iu.test(
    text,
  )

/** What a decline at the beginning is followed by: a question of another thing. */
const THEN_ASKS =
  /^\W*(?:(?:ok|okay|well|hm+|oh)[\s,.!-]+)*(?:(?:no|nope|nah|no thanks?|no,? thank you|leave it|never ?mind|forget it|no need|don'?t bother|that'?s (?:fine|ok|okay|all right)|it'?s (?:fine|ok|okay|all right))(?: then)?[,.;!]+\s+)+(?=\S)/iu

/** "No thanks, I'll keep it. Where can I rate it?": the question, where what was offered is declined before it. */
export function declinedAndAsked(text: string, { context }: Lesson): string | null {
  const { choices, open } = context.dialogue
  if (open !== null || choices.length === 0 || !text.trim().endsWith('?')) return null
  const rest = text.replace(THEN_ASKS, '')
  return rest === text || rest.length > 2 * MOST_CHARACTERS || OBJECTS.test(rest) ? null : rest
}

/** It goes on about what was refused. */
const OBJECTS = /\b(?:why|how come|really|seriously|exception|fair)\b/iu

const LEAVES =
  /\b(?:leave|keep) (?:it|that|this|them|everything|things|the (?:order|address|old (?:one|address)))\b|\b(?:never ?mind|forget (?:it|that|about it)|changed my mind|(?:don'?t|do not|dont|no need to) change (?:it|that|the address|anything)|stays? (?:as|where|the way|how) it (?:is|was)|no change)\b/iu

/** "Wait no, leave it at my home": while a value is asked for, or an address is to be changed, all stays as it is. */
export function leftAsItIs(text: string, { context }: Lesson): Reading | null {
  const { open } = context.dialogue
  if (open === null || text.includes('?') || /\d/u.test(text)) return null
  if (text.length > MOST_CHARACTERS || !LEAVES.test(text) || HAS_MORE.test(text)) return null
  const isPlace = open.param === CONFIRMATION && open.params['address'] !== undefined
  return open.param !== CONFIRMATION || isPlace
    ? readAs([{ type: 'cancel-task' }], 'all stays as it is')
    : null
}

/** A wish besides. */
const HAS_MORE = /\b(?:refund|return|cancel|money|instead|send|rather)\b/iu
