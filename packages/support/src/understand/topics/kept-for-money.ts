import { readAs, type Reading } from '../command.ts'
import { byRule, type Lesson } from '../lesson.ts'
import { correctedParams } from '../read-wishes.ts'

const AMOUNT = '(?:[$]\\s?\\d[\\d.]*|\\d[\\d.]*\\s?(?:[$]|dollars?|bucks|usd|back|off))'
const GIVEN =
  "(?:(?:i|you|u)(?:'d| would| could| can)? (?:just |only )?(?:get|got|give|gave|refund|refunded|pay|paid|send|sent|knock|take|took|offer)|there(?:'s| is| was))"

/** "I'd keep it if I get 20 dollars back": keeping the thing is what the money is for, not a condition. */
const KEEPS = new RegExp(
  `\\b(?:keep(?:ing)?|live with|hold on to) (?:it|them|that|this|the \\p{L}+|both)\\b[^.!?]{0,30}\\b(?:if|for|provided|as long as)\\b[^.!?]{0,20}?(?:${GIVEN}\\b[^.!?]{0,25}?)?${AMOUNT}|\\b(?:if|provided|as long as) ${GIVEN}\\b[^.!?]{0,25}?${AMOUNT}[^.!?]{0,25}\\b(?:i(?:'ll| will|'d| would)? (?:can )?(?:just )?(?:keep|live with))|${AMOUNT}[^.!?]{0,25}\\b(?:and|then|but) (?:i(?:'ll| will|'d| would)? )?(?:can )?(?:just )?keep\\b`,
  'iu',
)

/** What is kept is what the money is for. */
const KEEPING = /\b(?:keep(?:ing)?|live with|hold on to)\b/giu

/** The refund of a part, by one who keeps the thing. */
export function keptForMoney(text: string, lesson: Lesson): Reading | null {
  const { intents, dialogue } = lesson.context
  const refund = intents.find(({ id }) => id === 'refund')
  if (refund === undefined || dialogue.open !== null || !KEEPS.test(text)) return null
  const params = correctedParams(text, refund)
  return params['amount'] === undefined
    ? null
    : readAs(
        [{ ...byRule(refund.id, params), said: text.replaceAll(KEEPING, 'refund') }],
        'it keeps the thing for a part of the money',
      )
}
