import { EchelonError } from '../../../packages/echelon/src/core/value/error.ts'
import type { BoundModel, Price } from '../../../packages/echelon/src/core/model/model.ts'
import {
  asBound,
  type ScriptedModel,
  scriptedModel,
  type ScriptedReply,
} from '../../../packages/echelon/src/testing/scripted-model.ts'

/** The recorded answers of a model, by the question that the last user message asks, in the order of the record. */
export type RecordedAnswers = ReadonlyMap<string, readonly ScriptedReply[]>

type Call = ScriptedModel['calls'][number]

/**
 * A model of a ladder that gives recorded answers, streamed or not. Each call about a question takes the next of
 * its answers. A question that was not recorded, or whose answers are used up, fails with UNRECORDED_CALL.
 * @param id such as `mistral/open-mixtral-8x7b`
 */
export function recordedAnswers(id: string, answers: RecordedAnswers, price: Price): BoundModel {
  const given = new Map<string, number>()
  const next = (call: Call): ScriptedReply => {
    const question = questionOf(call)
    const before = given.get(question) ?? 0
    const reply = answers.get(question)?.[before]
    if (reply === undefined) throw unrecorded(id, question, before)
    given.set(question, before + 1)
    return reply
  }
  return asBound(scriptedModel([], { modelId: id, beyond: next }), id, price)
}

/** The text of the last user message. */
function questionOf({ prompt }: Call): string {
  const last = prompt.findLast(({ role }) => role === 'user')
  return last?.role === 'user'
    ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    : ''
}

const unrecorded = (id: string, question: string, before: number): EchelonError =>
  new EchelonError(
    'UNRECORDED_CALL',
    before === 0
      ? `no answer of ${id} to “${question.slice(0, 80)}” is recorded; ask one of the questions of the file, word for word`
      : `all ${before} recorded answers of ${id} to “${question.slice(0, 80)}” have been given; ask less often`,
  )

/** Characters of a token of English, roughly; for records that hold no tokens. */
const CHARACTERS_PER_TOKEN = 4

/** Tokens of a text, estimated from its length. */
export const estimatedTokens = (text: string): number =>
  Math.ceil(text.length / CHARACTERS_PER_TOKEN)
