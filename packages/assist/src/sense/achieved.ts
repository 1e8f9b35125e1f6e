import { type Cue, NOTHING, weigh, type Weighed } from './cue.ts'
import { clausesOf, sentencesOf } from './readable.ts'

const CUES: readonly Cue[] = [
  [
    /\bi(?:'ve| have)? (?:now )?(?:know|understand|see|got|figured out|found out) (?:now )?(?:what (?:to|i|matters)|how to|my next|my way|where to|exactly|it now)/iu,
    0.7,
  ],
  [
    /^(?:(?:so|and|ok|okay|yes|great|perfect|right|alright|thanks|well)\s+)*(?:that's|that is|this is) (?:it|all|all i (?:needed|wanted)|what i (?:needed|wanted)|the answer)\b/iu,
    0.6,
  ],
  [/\b(?:answers|answered|covers|covered) (?:it|my|the|that|all|everything)/iu, 0.7],
  [/\bi have (?:what|all|everything) i (?:need|wanted)/iu, 0.8],
  [
    /\bi(?:'ve| have) (?:decided|made up my mind|made my (?:decision|choice)|reached my goal)|\b(?:decision|choice) (?:is )?made\b|\bmy mind is made up/iu,
    0.7,
  ],
  [
    /\b(?:it's|it is|that's|this is|all|everything is|everything's) (?:now )?clear(?! that)\b|\bclear to me\b|\bclarity i\b/iu,
    0.6,
  ],
  [
    /^(?:great |ok |okay |perfect |well )?(?:that|this) (?:settles|does|solves|did|nails) (?:it|the)/iu,
    0.7,
  ],
  [/\btake it from here\b/iu, 0.8],
  [/\bexactly what i (?:was looking for|needed|wanted|hoped)/iu, 0.6],
  [/\b(?:no|nothing) (?:further|other|else)\b/iu, 0.4],
  [/\byou(?:'ve| have)? (?:really )?(?:helped|answered)/iu, 0.5],
  [/\bthat (?:really )?helped\b/iu, 0.4],
  [/^(?:i'm|i am|we're|we are) (?:all )?(?:set|good)(?: now)?$/iu, 0.6],
  [
    /\b(?:problem|case|question|riddle) (?:is )?solved\b|\bmission accomplished\b|\bgoal (?:reached|achieved)\b/iu,
    0.8,
  ],
  [/\bi(?:'m| am| feel)(?: now)? ready (?:to|for|now)\b/iu, 0.5],
  [
    /\bhave my answer\b|\bfound (?:my|the) (?:answer|way)|\bmissing piece\b|\b(?:it|that) (?:finally )?clicked\b|\b(?:finally )?makes sense now\b/iu,
    0.7,
  ],
  [/^(?:i'm|i am) (?:convinced|satisfied|happy with (?:this|that|it)|content|relieved)/iu, 0.6],
  [/\b(?:exactly|precisely) it$|^that's the one$|^that was it$/iu, 0.6],
  [
    /^(?:now )?(?:i'll|i will|i can|i'm going to|then i'll) (?!need|have to|ask|also|be late|try again)(?:\w+)/iu,
    0.35,
  ],
  [/\b(?:what|which is what|how) i'll (?:do|tell|say|answer|go)/iu, 0.5],
  [/^(?:all )?(?:done|sorted|settled|solved|finished)$/iu, 0.4],
  [
    /\b(?:don't|do not) need (?:anything|any) (?:more|else|further)|\bnothing (?:left|more) to\b/iu,
    0.6,
  ],
  [/^(?:that |this )?makes sense$/iu, 0.3],
  [/^(?:great|wonderful|perfect|excellent|alright|yes|ok|okay|good)$/iu, 0.2],
  [/\bthank(?:s| you)\b|\bmuch appreciated\b|\bcheers\b|\bgrateful\b/iu, 0.25],
]

/** A thank-you followed by more does not end the turn. */
const GOES_ON =
  /\b(?:now let|let me ask|next (?:topic|question|thing)|one more|what about|how about|tell me|also want|another (?:thing|question)|let's (?:look|talk|go on|continue))\b/iu

/** Denials that mean it is enough. */
const CLOSED = /\b(?:don't|do not) need (?:anything|any)|\bnothing (?:left|more|else|further)\b/iu

const DENIED =
  /\b(?:not|never|haven't|still|yet|isn't|don't|doesn't|didn't|hardly|cannot|can't|wasn't|unless|until)\b/iu

/** Doubt means that the user is still thinking. */
const HEDGED =
  /\b(?:i (?:think|guess|suppose|hope|believe)|maybe|perhaps|almost|if only)\b.*\bi (?:now |finally )?(?:know|understand|see|get)\b/iu

/** Whether the user continues, whatever else the message says: a further question means they are not done. */
export function goesOn(text: string): boolean {
  const asks = sentencesOf(text).some((sentence) => /\?["')\s]*$/u.test(sentence))
  // "but not at home": a denial afterwards takes back the statement.
  const isTakenBack = /\bbut\b.*(?:\b(?:not|never|still|afraid|unsure)\b|n't\b)/iu.test(text)
  return asks || isTakenBack || GOES_ON.test(text) || HEDGED.test(text)
}

/** Whether the user has what they came for. */
export function weighAchieved(text: string): Weighed {
  if (goesOn(text)) return NOTHING
  const clauses = clausesOf(text)
  return weigh(
    clauses.filter((clause) => CLOSED.test(clause) || !DENIED.test(clause)),
    CUES,
  )
}
