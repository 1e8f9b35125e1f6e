import { jsonSchemaCheck } from '../../core/schema/json-schema.ts'
import type { Json, JsonObject } from '../../core/value/json.ts'
import type { Answer, Wanted } from '../answer.ts'
import { isWhole } from '../text/rational.ts'
import { type Judgment, refuted, silent, type Verifier } from '../verifier.ts'
import { type FinalAnswer, finalAnswerOf } from './final-answer.ts'

const FEATURES = ['format.marked', 'format.cut', 'format.integer'] as const

/**
 * A verifier that an answer of the kind asked for is there: refuted if not, and silent otherwise, since an answer in
 * the right form may be wrong. Its features say what the final answer looks like: `format.marked` (after a mark such
 * as `####`), `format.cut` (the text breaks off) and `format.integer` (it is a whole number), each 0 or 1.
 */
export const format: Verifier = {
  name: 'format',
  features: FEATURES,
  verify: ({ task, answer }) => judgmentOf(task.wanted, answer),
}

function judgmentOf(wanted: Wanted, answer: Answer): Judgment {
  const found = finalAnswerOf(answer, wanted)
  const features = featuresOf(answer, found)
  if (wanted.kind === 'calls') return silent('tool calls are not judged by their form', features)
  if (found === undefined) return refuted(`the answer gives no ${NAMES[wanted.kind]}`, features)
  if (wanted.kind === 'json' && found.kind === 'json') {
    const [issue] = issuesOf(wanted.schema, found.value)
    if (issue !== undefined) return refuted(`its JSON does not fit the schema: ${issue}`, features)
  }
  return silent(`the answer gives a ${NAMES[wanted.kind]}`, features)
}

const NAMES: Readonly<Record<Exclude<Wanted['kind'], 'calls'>, string>> = {
  number: 'number',
  date: 'date',
  'yes-no': 'yes or no',
  choice: 'choice of those offered',
  json: 'JSON value',
  text: 'text',
}

/** A schema that cannot be checked says nothing about the answer. */
function issuesOf(schema: JsonObject, value: Json): readonly string[] {
  try {
    return jsonSchemaCheck(schema)(value).map(({ message }) => message)
  } catch {
    return []
  }
}

function featuresOf(
  answer: Answer,
  found: FinalAnswer | undefined,
): Readonly<Record<(typeof FEATURES)[number], number>> {
  const number = found?.kind === 'number' ? found.value : undefined
  return {
    'format.marked': Number(found?.isMarked ?? false),
    'format.cut': Number(answer.type === 'text' && isCut(answer.text, found?.isMarked ?? false)),
    'format.integer': Number(number !== undefined && isWhole(number)),
  }
}

/** Whether the text was cut at its length limit: it ends within a sentence or a fenced block. */
const isCut = (text: string, isMarked: boolean): boolean =>
  !isMarked && !/[.!?:)\]}"'”’`*$]\s*$/.test(text.slice(-50))
