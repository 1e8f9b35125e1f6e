import type { Expression } from '../expression.ts'
import type { Marked } from '../numbers.ts'
import { answerOf } from './forms/form.ts'
import { MONEY_FORMS } from './forms/money.ts'
import { REST_FORMS } from './forms/rest.ts'
import { TWO_PARTS } from './forms/two-parts.ts'
import { tagged } from './lexicon.ts'

const FORMS = [...TWO_PARTS, ...MONEY_FORMS, ...REST_FORMS]

/** Reads a problem whose whole text is of one known form; every number of it takes part. */
export function readForms(question: Marked): Expression | undefined {
  const answer = answerOf(FORMS, tagged(question.text.replace(/[?.! ]+$/, '')), question)
  return answer && answer.value >= 0 && question.numbers.every((_, at) => answer.uses.has(at))
    ? answer
    : undefined
}
