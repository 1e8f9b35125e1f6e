import { asks } from '../../clauses.ts'
import type { Asked } from '../asked.ts'

const SENTENCES = /(?<=[.!?])\s+/u

/** What asks for nothing, although it has a question mark: "Seriously?", "What? So short?", "are you kidding me?" */
const OUTCRY =
  /^\W*(?:(?:oh|ok|okay|hm+|wow|well|wait|no|and|but|what|huh|omg|my god|jeez|ugh)[\s,.!?]*)*(?:(?:really|seriously|honestly|what|huh|wow|wtf|omg|eh|pardon me|come on|excuse me|for real|no way|since when|you(?:'re| are)? (?:kidding|joking|serious)(?: me)?|(?:are|r) (?:you|u|you guys) (?:kidding|joking|serious|for real|having a laugh)(?: me| right now| with me)*|is (?:this|that) (?:a joke|serious|for real|real|some kind of joke)|(?:that|so|this|only|already|just) (?:short|long|little|few|much|strict|late|soon|far|quick|fast|expensive)|how (?:come|is that even possible|can that be|ridiculous|annoying))[\s,.!]*)*(?:really|seriously)?\?+!*\W*$/iu

/** Longer ones ask something. */
const MOST_WORDS = 6

const isOutcry = (sentence: string, about: string): boolean =>
  sentence.includes('?') &&
  (OUTCRY.test(sentence) || (about === PERSON && isProtest(sentence))) &&
  sentence.split(/\s+/u).length <= MOST_WORDS

/** The word of the intent that gets a person. */
const PERSON = 'hand'

/** "Two days over??", after a refusal: a few words of it thrown back, which ask nothing. */
const isProtest = (sentence: string): boolean =>
  !asks(sentence) && (/[?!]{2,}/u.test(sentence) || BY_HOW_MUCH.test(sentence))

const BY_HOW_MUCH =
  /\b(?:an?|one|two|three|few|couple|\d+) (?:of )?(?:single |lousy |stupid |measly )?(?:days?|hours?|weeks?|minutes?)(?: too)? (?:late|over|off|past|after)\b|\b(?:because|over|for) (?:of )?(?:an?|one|two|\d+) (?:single |lousy |stupid |measly )?(?:day|hour|week|minute)s?\b/iu

/** A message without the outcries before what it says; itself if it is nothing else. */
export function withoutOutcry(text: string, { about }: Asked): string {
  const rest = text.split(SENTENCES).filter((sentence) => !isOutcry(sentence, about))
  const said = rest.join(' ')
  return /[\p{L}\p{N}]/u.test(said) ? said : text
}
