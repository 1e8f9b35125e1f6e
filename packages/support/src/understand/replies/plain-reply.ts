import { withPlainItems } from '../../customer/item-words.ts'

/** The words for what can be open, by the word for it in the name of an intent. */
const ACTS: ReadonlyMap<string, RegExp> = new Map([
  ['refund', /\b(?:refund\w*|money(?: back)?|reimburs\w*|cash|pay (?:me|it) back)\b/giu],
  [
    'return',
    /\b(?:return\w*|(?:send|sending|ship|mail|post)(?: (?:it|them|this|that|these|those))? back|back it goes|goes? back|label)\b/giu,
  ],
  ['cancel', /\b(?:cancel\w*|call(?: it)? off)\b/giu],
  ['address', /\b(?:address|redirect\w*|reroute\w*)\b/giu],
  ['hand', /\b(?:colleague\w*|person|human|someone|somebody|agent|manager|co-?worker\w*)\b/giu],
])

/** The word of an intent's name by which replies to it are told apart; its first word if it is none of these. */
export const subjectOf = (intentId: string): string => {
  const words = intentId.split('_')
  return words.find((word) => ACTS.has(word)) ?? words[0] ?? intentId
}

/** Which of the things that can be open a text names. */
export const subjectsIn = (text: string): readonly string[] =>
  [...ACTS].flatMap(([name, words]) => (text.search(words) >= 0 ? [name] : []))

/** The subject of replies to a choice of several things. */
export const CHOICE = 'choice'

/** Words that a negation turns into their contrary. */
const MOST_NEGATED = 3
const NEGATION =
  /^(?:no|not|never|dont|don't|without|cant|can't|wont|won't|didnt|nor|neither|\p{L}+n't)$/u

/**
 * A reply in which what is open is the same word whatever it is, as are all other things that could be done, and in
 * which words behind a negation are other words. So what was learned of one request is known of all.
 */
export function plainReply(text: string, about: string, itemWords?: ReadonlySet<string>): string {
  const lower = withPlainItems(text.toLowerCase().replaceAll(/[\u2018\u2019`]/gu, "'"), itemWords)
  const acted = [...ACTS].reduce(
    (said, [name, words]) => said.replaceAll(words, name === about ? 'theact' : 'otheract'),
    lower,
  )
  let left = 0
  return acted.replaceAll(/[\p{L}']+|[.,;!?]/gu, (word) => {
    if (!/\p{L}/u.test(word)) left = 0
    else if (NEGATION.test(word)) left = MOST_NEGATED
    else if (left > 0) {
      left -= 1
      return `not${word}`
    }
    return word
  })
}
