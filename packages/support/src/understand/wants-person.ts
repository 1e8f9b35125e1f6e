const PERSON =
  "(?:an? |your |one of your |the |some |any )?(?:real |human |other )?(?:colleagues?|persons?|people|humans?|someone|somebody|manager|supervisor|agent|employee|specialist|team)"

const LOOKS =
  '(?:please |just |then )?(?:check|look|see|handle|review|help|investigate|verify|examine|sort|deal|take (?:a look|care|over|it)|have a look|go over|find out|clear)'

/** "Have a colleague check", "let someone look at it", "I'd like somebody to look into this". */
const WISH = new RegExp(
  `\\b(?:have|let|get|ask|want|need|like|prefer|pass (?:it|this|that) (?:on )?to|give (?:it|this|that) to|forward (?:it|this|that) to|send (?:it|this|that) to) ${PERSON}(?: (?:to |who (?:can |could |will )?|for (?:that|this|it) to )?${LOOKS}\\b|\\W*$)`,
  'iu',
)

/** "Can a colleague look at it?" */
const ASKED = new RegExp(
  `^\\W*(?:(?:yes|ok|okay|please|so|and|then|but|well|hm+)[\\s,]+)*(?:can|could|may|should|would) ${PERSON} ${LOOKS}\\b`,
  'iu',
)

/** What takes the wish back, or makes it no wish. */
const NO_WISH =
  /\b(?:not|no|never|without|unless|if|rather than|instead of|already|did|has|had|was|when|why|who)\b|n't\b|\b(?:dont|didnt|wont)\b/iu

/** Whether a text wishes that a person looks at something; a question about what a person has done is none. */
export const wantsPersonToLook = (text: string): boolean =>
  text.length <= MOST_CHARACTERS && (WISH.test(text) || ASKED.test(text)) && !NO_WISH.test(text)

/** Longer texts are stories, in which other things may be asked for. */
const MOST_CHARACTERS = 160
