import { readAs, type Reading } from './command.ts'
import { asks } from './read-questions.ts'

const MEANS =
  '(?:my|the|that|this|an?|our|same|original|old|new|other)? ?(?:(?:same|original|old|new|other|credit|debit|bank|gift|payment) )*(?:card|paypal|account|visa|mastercard|amex|american express|payment method|means of payment|way i paid|place)'

/** "It goes back to the same card, right?", "will it be put on my PayPal?" */
const GOES_THERE = new RegExp(
  `\\b(?:go(?:es|ing)?|com(?:e|es|ing)|back|money|refund(?:ed)?|paid|put|credited|returned|sent|land(?:s|ed)?|end(?:s)? up|transferred)\\b[^.!?]{0,40}\\b(?:to|on|onto|into|in|via)\\s+${MEANS}\\b`,
  'iu',
)

/** "And where would the money go?" */
const WHERE =
  /\bwhere (?:will|would|does|do) (?:the |my |that )?(?:money|refund) (?:go|end up|land)\b/iu

/** A question by its end: "…, right?" */
const ASKS_BACK = /\?\W*$|\b(?:right|correct|yes|isn't it|doesn't it|won't it|is that right)\W*$/iu

/** What has happened, what has not, and wishes are no questions of the rules. */
const OTHER =
  /^\W*(?:(?:and|so|but|ok|okay|well|hey|hi)[\s,]+)*(?:did|has|have|was|were|had|when|how (?:long|soon|much|many)|why|where is|please|i (?:want|need|would))\b|\b(?:twice|charged?|took|taken|yet|already|nothing|haven't|hasn't|didn't|not)\b|\d{4}/iu

const MOST_CHARACTERS = 120

/** A question, or a check, of where money that is given back goes: the rules say it. */
export const moneyPlace = (text: string): Reading | null =>
  text.length <= MOST_CHARACTERS &&
  (ASKS_BACK.test(text) || asks(text)) &&
  (GOES_THERE.test(text) || WHERE.test(text)) &&
  !OTHER.test(text)
    ? readAs(
        [{ type: 'ask-knowledge', question: `does the refund go back to my card: ${text}` }],
        'it asks where the money goes',
      )
    : null
