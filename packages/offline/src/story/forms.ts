import type { Expression } from '../expression.ts'
import type { Marked } from '../numbers.ts'
import { answerOf, type Form } from './forms/form.ts'
import { FILLING_FORMS } from './forms/filling.ts'
import { MONEY_FORMS } from './forms/money.ts'
import { REST_FORMS } from './forms/rest.ts'
import { TWO_PARTS } from './forms/two-parts.ts'
import { tagged } from './lexicon.ts'

/** Cue words: a text without them cannot match any form of the group, so most texts skip the patterns. */
const FORMS: readonly (readonly [RegExp, readonly Form[]])[] = [
  [/\b(?:than|as)\b.*\b(?:how|what)\b/, TWO_PARTS],
  [/\b(?:fee|charge|deposit|payment|profit|gain|simple interest|make|earn)\b/, MONEY_FORMS],
  [/\b(?:fill|full|empty|drain)/, FILLING_FORMS],
  [/\bthe (?:rest|others|remaining|other ones)\b/, REST_FORMS],
]

/** Reads a problem whose whole text matches one form; all its numbers must be used. */
export function readForms(question: Marked): Expression | undefined {
  const text = question.text.replace(/[?.! ]+$/, '')
  const forms = FORMS.flatMap(([cue, group]) => (cue.test(text) ? group : []))
  const answer = answerOf(forms, tagged(text), question)
  return answer && answer.value >= 0 && question.numbers.every((_, at) => answer.uses.has(at))
    ? answer
    : undefined
}
