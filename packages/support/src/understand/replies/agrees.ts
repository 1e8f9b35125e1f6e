import { withoutIdioms } from '../../dialogue/veto.ts'
import { BY_RULE } from '../command.ts'
import type { Lesson } from '../lesson.ts'
import { replyOf, withoutCourtesy } from '../phrases.ts'
import { type Asked, type Found, kindOf, LEAST_NO } from './asked.ts'
import { subjectsIn } from './plain-reply.ts'
import { isStory, tells, tellsOfIt } from './remarks-beside.ts'
import { piecesOf } from './said-and-asked.ts'

/** "Do it, I'll order anew": a plain yes in one piece, where no other piece is something else. */
export function saysYes(said: string, asked: Asked, lesson: Lesson): Found | null {
  const pieces = piecesOf(withoutIdioms(said)).map(({ text }) => text)
  const rest = pieces.filter((piece) => isWeak(piece) || replyOf(piece) !== 'yes')
  const told = rest.filter(
    (piece) => !STAYS.test(piece) && !SHRUGS.test(piece) && !tellsOfIt(piece),
  )
  const isElse = told.some((piece) => {
    const { kind, confidence } = kindOf(piece, asked, lesson)
    const isRemark = (kind === 'other' || isStory(piece)) && tells(piece, lesson)
    return kind !== 'yes' && kind !== 'yes+wish' && !isRemark && confidence >= LEAST_NO
  })
  return rest.length === pieces.length || isElse ? null : { kind: 'yes', confidence: BY_RULE }
}

/** What stays, or what alone is meant: whether that is so in the plan is weighed with the plan. */
const STAYS =
  /^(?:(?:and|but) )?(?:please )?(?:leave|keep|i(?:'ll| will|'m|m)? keep(?:ing)?|just|only) (?:the|my|that|this|those|these)\b/iu

/** It does not matter. */
const SHRUGS =
  /^\W*(?:(?:ok(?:ay)?|fine|well|oh|ugh)\W+)?(?:whatever|fine then|i don'?t care)\W*$/iu

/** Whether it agrees in a word that is more than a courtesy. */
export const isStrong = (said: string): boolean =>
  /\bplease\b/iu.test(said) ||
  piecesOf(said).some(({ text }) => replyOf(text) === 'yes' && !isWeak(text))

/** Whether it holds only words that agree where they stand alone. */
export const isWeak = (said: string): boolean => WEAK.test(withoutCourtesy(said))

const WEAK =
  /^(?:(?:ok(?:ay)?|k|fine|al(?:l ?)?right|right|good|great|perfect|very well|oh|ah)(?: |$))+$/u

/**
 * Whether a word of it agrees, or names what is asked. "That is a pity" and "sorry, I'm on the train" are like some
 * yeses in all but that.
 */
export const agrees = (said: string, { about }: Asked): boolean =>
  AGREEING.test(said) ||
  (!OF_SHOP.test(said) &&
    piecesOf(said).some(({ text }) => !TELLS.test(text) && subjectsIn(text).includes(about)))

const TELLS = /^\W*(?:that|this|it|they|these|those|there|the|my|our)\b/iu

/** "You are quick at cancelling" names it, and says what the shop is like. */
const OF_SHOP = /^\W*(?:your|you(?! (?:can|may|could|should|must)))\b/iu

const AGREEING =
  /\b(?:y|ye|yes+|yess\w*|yas|yea+h*|yep+|yup+|ya|yh|aye|si|oui|ja|jep|da|sim|o?k(?:ay|ey|k|i|ie)?|okey|sure\w*|fine|right|correct|exactly|precisely|al+right|all right|good|great|perfect\w*|lovely|nice|wonderful|excellent|awesome|brilliant|cool|absolutely|definitely|certainly|indeed|of course|naturally|gladly|happily|please|pls+|plz+|pleas|do|does|doing|go|going|proceed|continue|carry|request|start|begin|make|confirm\w*|agree\w*|accept\w*|approve\w*|affirmative|roger|deal|works|appreciate|want|wish|like|love|need|happy|glad|grateful|why not|by all means|objections?|problem|lets|let's|let us|mhm+|uh huh|aha|take|send|give|get|bring|ask|call|let|have)\b|\u{1F44D}/iu

/** "Yeah 77 Dauphine Street": a yes, and words of a value that is to be confirmed. */
export function repeats(said: string, { context }: Lesson): boolean {
  const { open, choices } = context.dialogue
  const values = Object.values((open ?? choices[0])?.params ?? {})
  const [, rest = ''] = YES_AND_VALUE.exec(said) ?? []
  const words = plainWords(rest.replace(COURTESY, ''))
  return (
    words.length >= LEAST_REPEATED &&
    values.some((value) => typeof value === 'string' && isWithin(words, plainWords(value)))
  )
}

/** Whether all of the words stand in a value, in their order. */
function isWithin(words: string, value: string): boolean {
  let at = 0
  const all = value.split(' ')
  return words.split(' ').every((word) => {
    const found = all.indexOf(STREETS.get(word) ?? word, at)
    at = found + 1
    return found >= 0
  })
}

const STREETS: ReadonlyMap<string, string> = new Map([
  ['st', 'street'],
  ['ave', 'avenue'],
  ['rd', 'road'],
  ['ln', 'lane'],
  ['dr', 'drive'],
  ['blvd', 'boulevard'],
])

const YES_AND_VALUE =
  /^\W*(?:yes|yeah|yea|yep|yup|right|exactly|correct|sure)(?:\W+(?:please|exactly|correct|to|it'?s|its|the))*\W+(.+)$/iu
const COURTESY =
  /(?:[\s,.!]+(?:is (?:correct|right|fine|it)|(?:many )?thanks?(?: (?:you|a lot))?|thx|ty|please|pls|plz))+\W*$/iu
const LEAST_REPEATED = 4

const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
