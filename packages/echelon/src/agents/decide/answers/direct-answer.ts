import type { Json, JsonObject } from '../../../core/value/json.ts'
import type { Answer } from '../../../verify/answer.ts'
import { type FinalAnswer, finalAnswerOf, sameAnswer } from '../../../verify/format/final-answer.ts'
import { decimalText } from '../../../verify/text/rational.ts'
import { lastLine } from '../../../verify/task-text.ts'
import { proved, refuted, type Verdict } from '../verification/verdict.ts'
import type { WantedAnswer } from './answer-gate.ts'

/** An answer as verifiers see it: JSON where JSON is asked for, else words. */
export const toAnswer = (value: Json, wanted: WantedAnswer): Answer =>
  wanted.kind === 'json' && typeof value !== 'string'
    ? { type: 'json', value }
    : { type: 'text', text: textOf(value) }

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The answer that the caller gets: its final value, without the work that led to it. */
export function shownAnswer(answer: Answer, wanted: WantedAnswer): string {
  const final = finalAnswerOf(answer, wanted)
  const whole = answer.type === 'text' ? answer.text.trim() : wholeOf(answer)
  return final === undefined || wanted.kind === 'text' ? whole : (valueOf(final) ?? whole)
}

const wholeOf = (answer: Exclude<Answer, { type: 'text' }>): string =>
  answer.type === 'json' ? JSON.stringify(answer.value) : (answer.text ?? '')

function valueOf(final: FinalAnswer): string | undefined {
  switch (final.kind) {
    case 'number': {
      const digits = decimalText(final.value)
      return digits === undefined || !final.isPercent ? digits : `${digits}%`
    }
    case 'date':
      return final.date
    case 'yes-no':
      return final.isYes ? 'yes' : 'no'
    case 'choice':
      return final.choice
    case 'json':
      return JSON.stringify(final.value)
    case 'text':
      return final.text
  }
}

/** Judges a direct answer by the known one, of the kind that was asked for. */
export function judgeDirect(answer: Answer, known: string, wanted: WantedAnswer): Verdict {
  const shown = shownAnswer(answer, wanted)
  const [own, right] = [finalAnswerOf(answer, wanted), finalAnswerOf(textAnswer(known), wanted)]
  return own !== undefined && right !== undefined && sameAnswer(own, right)
    ? proved(shown, 'it is the known answer')
    : refuted(
        shown,
        // A model that reads the known answer could copy it.
        'it is not the known answer',
        `the answer is ${shown}, and the known one is ${known}`,
      )
}

const textAnswer = (text: string): Answer => ({ type: 'text', text })

/** The prompt for a direct answer. */
export const directOrder = (wanted: WantedAnswer): string =>
  [
    'If no tool helps, answer {"answer":…}',
    wanted.kind === 'json'
      ? 'with JSON as the task asks for.'
      : 'with text, worked out step by step where there is something to work out.',
    wanted.kind === 'json' ? '' : lastLine(wanted),
    'If you do not know it, answer {"cannot":"why"}.',
  ]
    .filter((part) => part !== '')
    .join(' ')

/** The schema of a direct answer on the wire. */
export const directSchema = (wanted: WantedAnswer | undefined): JsonObject =>
  wanted?.kind === 'json'
    ? { anyOf: [wanted.schema, { type: 'null' }] }
    : { type: ['string', 'null'] }
