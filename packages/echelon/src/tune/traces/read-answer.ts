import type { ToolCall } from '../../core/tool/tool-call.ts'
import { isJson } from '../../core/value/json.ts'
import type { Answer } from '../../verify/answer.ts'
import { Fields } from './fields.ts'
import type { RecordedAnswer } from './trace.ts'

const FIELDS: readonly string[] = [
  'model',
  'text',
  'json',
  'calls',
  'ok',
  'cost',
  'input_tokens',
  'output_tokens',
  'latency_s',
]

/**
 * Reads an answer of a row of traces.
 * @param grade whether an answer is right by the task's gold; null if there is none
 * @throws EchelonError INVALID_INPUT that names the place and what must be there
 */
export function readAnswer(
  value: unknown,
  place: string,
  grade: (answer: Answer) => boolean | null,
): RecordedAnswer {
  const fields = new Fields(value, place, FIELDS)
  const answer = answerIn(fields)
  const [input, output] = [fields.amount('input_tokens'), fields.amount('output_tokens')]
  return {
    model: fields.required('model'),
    answer,
    ok: fields.truth('ok') ?? grade(answer),
    cost: fields.amount('cost') ?? null,
    usage: input === undefined || output === undefined ? null : { input, output },
    latency: fields.amount('latency_s') ?? null,
  }
}

/** `null` is JSON too, so that `json` counts once it is named. */
function answerIn(fields: Fields): Answer {
  const calls = fields.list('calls')
  const text = fields.text('text')
  const json = fields.any('json')
  if (calls !== undefined) {
    return {
      type: 'calls',
      calls: calls.map((call, at) => readCall(call, fields.within(`calls[${at}]`), at)),
      ...(text === undefined ? {} : { text }),
    }
  }
  if (json !== undefined && text === undefined) {
    if (isJson(json)) return { type: 'json', value: json }
    throw fields.wrong('json', 'JSON nested less than 64 levels deep')
  }
  if (json !== undefined) throw fields.unusable('has both `text` and `json`; keep one')
  if (text === undefined) throw fields.unusable('needs its answer as `text`, `json` or `calls`')
  return { type: 'text', text }
}

/** Reads a tool call as `{name, arguments}`. */
export function readCall(value: unknown, place: string, at: number): ToolCall {
  const call = new Fields(value, place, ['name', 'arguments'])
  const input = call.any('arguments') ?? {}
  if (!isJson(input)) throw call.wrong('arguments', 'JSON nested less than 64 levels deep')
  return { id: `call-${at}`, tool: call.required('name'), input }
}
