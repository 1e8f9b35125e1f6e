import { smallTalkIn } from '../../understand/social.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'
import * as sentences from '../../wording/sentences.ts'
import type { SupportSettings } from '../support-settings.ts'
import { HOURS } from '../weighing/facts.ts'

/** Says that a person has the conversation. A question of when one answers gets the hours as well. */
export function withPerson({ knowledge }: SupportSettings, text: string): string {
  const isOfTime = (ASKS_WHEN.test(text) && asksAnywhere(text)) || OF_ANSWER.test(text)
  const hours = isOfTime ? knowledge(HOURS) : null
  return hours === null
    ? sentences.WITH_A_PERSON
    : `${sentences.WITH_A_PERSON} ${sentences.fromSource(hours)}`
}

/** A goodbye, or thanks, and nothing else that has to be told to the person. */
export function courtesyIn(text: string): string | null {
  if (asksAnywhere(text) || text.split(/\s+/u).length > MOST_IN_COURTESY) return null
  if (WISHES_WELL.test(text)) return sentences.YOU_TOO_MEANWHILE
  if (LEAVES.test(text)) return sentences.GOODBYE_MEANWHILE
  return smallTalkIn(text).at(-1) === 'thanks' ? sentences.WELCOME_MEANWHILE : null
}

const MOST_IN_COURTESY = 16
const LEAVES = /\b(?:good ?bye|bye|ciao|good night|take care|see (?:you|ya)(?: \p{L}+)?)\W*$/iu
const WISHES_WELL =
  /\b(?:(?:have|enjoy) (?:a |an |your |the )?(?:\p{L}+ )?(?:day|evening|night|weekend|week|one|sunday|saturday)|(?:nice|good|great|lovely) (?:day|evening|weekend|week|sunday|saturday))(?: (?:too|then|to you(?: all| too)?|everyone|all|guys))*\W*$/iu

/** "No, I mean how long till your colleague answers". */
const OF_ANSWER =
  /\b(?:how long|how soon|when)\b.*\b(?:colleagues?|persons?|they|somebody|someone)\b.*\b(?:answers?|repl(?:y|ies)|writes?|comes?|responds?)\b/iu

const ASKS_WHEN = /\b(?:when|how (?:long|soon|fast)|what time|today|tomorrow|weekend)\b/iu
