import { EchelonError, isRecord } from 'echelon/internal/value'
import type { Report, TurnFacts } from './report.ts'

/** The fields of a report, with a check for each. */
const REPORT: Readonly<Record<keyof Report, (value: unknown) => boolean>> = {
  user_input: isText,
  draft: (value) => value === null || isText(value),
  earlier: (value) => Array.isArray(value) && value.every(areFacts),
}

const FACTS: Readonly<Record<keyof TurnFacts, (value: unknown) => boolean>> = {
  turn: isCount,
  user_words: isCount,
  answer_words: isCount,
  asked: (value) => typeof value === 'boolean',
  approach: isText,
  altitude: isText,
  sentences: (value) => Array.isArray(value) && value.every(isCount),
}

/**
 * Checks a report for planner and evaluator: it says what happened. A field that interprets it, or any other, is
 * refused.
 * @throws EchelonError INVALID_INPUT that names the field
 */
export function readReport(value: unknown): Report {
  if (!isRecord(value)) throw refused('it is not an object')
  check(value, REPORT, '')
  if (isReport(value)) return value
  throw refused('an earlier turn is told otherwise than in facts')
}

function check(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, (value: unknown) => boolean>>,
  place: string,
): void {
  const strange = Object.keys(value).find((name) => !Object.hasOwn(fields, name))
  if (strange !== undefined) {
    throw refused(
      `${place}${strange} is no field of it: a report states what happened, and judges nothing`,
    )
  }
  for (const [name, fits] of Object.entries(fields)) {
    const one = value[name]
    if (name === 'earlier' && Array.isArray(one)) {
      one.forEach((facts, index) => isRecord(facts) && check(facts, FACTS, `earlier.${index}.`))
    }
    if (!fits(one)) throw refused(`${place}${name} is not what it has to be`)
  }
}

const isReport = (
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & Report =>
  Object.entries(REPORT).every(([name, fits]) => fits(value[name]))

const areFacts = (value: unknown): boolean =>
  isRecord(value) && Object.entries(FACTS).every(([name, fits]) => fits(value[name]))

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

const refused = (why: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `the report is refused: ${why}`)
