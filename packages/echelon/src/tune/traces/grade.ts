import type { ToolCall } from '../../core/tool/tool-call.ts'
import { type Json, isJson, sameJson } from '../../core/value/json.ts'
import type { Answer, Wanted } from '../../verify/answer.ts'
import {
  type FinalAnswer,
  finalAnswer,
  finalAnswerOf,
  sameAnswer,
} from '../../verify/format/final-answer.ts'
import type { Fields } from './fields.ts'
import { readCall } from './read-answer.ts'

/**
 * Returns a grader of answers against the `gold` of a row, by the wanted kind: numbers by value, dates by day,
 * choices and words without case and punctuation, JSON and arguments of calls by value, calls in any order.
 * @returns a function that returns null if the row has no gold
 * @throws EchelonError INVALID_INPUT for a gold that is not of the kind that is wanted
 */
export function graderOf(row: Fields, wanted: Wanted): (answer: Answer) => boolean | null {
  const gold = row.any('gold')
  if (gold === undefined) return () => null
  if (wanted.kind === 'calls') {
    const right = row.list('gold') ?? []
    const calls = right.map((call, at) => readCall(call, row.within(`gold[${at}]`), at))
    return (answer) => sameCalls(answer.type === 'calls' ? answer.calls : [], calls)
  }
  if (!isJson(gold)) throw row.wrong('gold', 'JSON nested less than 64 levels deep')
  const right = goldOf(gold, wanted)
  if (right === undefined) throw row.wrong('gold', `of the kind that is wanted, ${wanted.kind}`)
  return (answer) => {
    const found = finalAnswerOf(answer, wanted)
    return found !== undefined && sameAnswer(found, right)
  }
}

function goldOf(gold: Json, wanted: Wanted): FinalAnswer | undefined {
  if (wanted.kind === 'json') return { kind: 'json', value: gold, isMarked: true }
  if (typeof gold === 'boolean') return finalAnswer(gold ? 'yes' : 'no', wanted)
  if (typeof gold === 'number') return finalAnswer(plain(gold), wanted)
  return typeof gold === 'string' ? finalAnswer(gold, wanted) : undefined
}

/** Writes a number without an exponent, which the readers of answers do not expect. */
const plain = (value: number): string =>
  value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })

/** Compares calls in any order. */
function sameCalls(calls: readonly ToolCall[], right: readonly ToolCall[]): boolean {
  if (calls.length !== right.length) return false
  const left = [...right]
  return calls.every(({ tool, input }) => {
    const at = left.findIndex((each) => each.tool === tool && sameJson(each.input, input))
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
}
