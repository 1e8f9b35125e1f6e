import type { Json, JsonObject } from 'echelon/runtime'
import type { LiveRun } from '../runs/live-run.ts'
import type { Piece } from './answer-pieces.ts'
import { frame } from './exchange.ts'
import { asProblem } from './openai-problem.ts'
import {
  begunResponse,
  callItems,
  failedResponse,
  isComplete,
  messageId,
  messageItem,
  type ResponseBase,
  textPart,
  wholeResponse,
} from './response-form.ts'

interface Sent {
  readonly base: ResponseBase
  readonly run: LiveRun
  /** Hears the last piece, before its event is sent. */
  readonly onLast: (last: Exclude<Piece, { readonly type: 'text' }>) => void
}

/** The mapping table: from pieces to the events of a response. */
export async function* responseEvents(
  pieces: AsyncIterable<Piece>,
  { base, run, onLast }: Sent,
): AsyncGenerator<string, void> {
  let number = 0
  const event = (type: string, fields: JsonObject): string =>
    frame({ type, sequence_number: number++, ...fields }, type)
  let text = ''
  try {
    yield event('response.created', { response: begunResponse(base) })
    yield event('response.in_progress', { response: begunResponse(base) })
    for await (const piece of pieces) {
      if (piece.type === 'text') {
        const opened = text === '' ? openedMessage(base) : []
        text += piece.delta
        for (const [type, fields] of [...opened, textDelta(base, piece.delta)]) {
          yield event(type, fields)
        }
        continue
      }
      onLast(piece)
      for (const [type, fields] of closing(base, text, piece)) yield event(type, fields)
      const type = isComplete(piece) ? 'response.completed' : 'response.incomplete'
      yield event(type, { response: wholeResponse(base, run, { text, last: piece }) })
    }
  } catch (error) {
    yield event('response.failed', { response: failedResponse(base, asProblem(error)) })
  }
}

type Event = readonly [type: string, fields: JsonObject]

function openedMessage(base: ResponseBase): readonly Event[] {
  const id = messageId(base.id)
  const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const at = { item_id: id, output_index: 0, content_index: 0 }
  return [
    ['response.output_item.added', { output_index: 0, item }],
    ['response.content_part.added', { ...at, part: textPart('') }],
  ]
}

const textDelta = (base: ResponseBase, delta: string): Event => [
  'response.output_text.delta',
  { item_id: messageId(base.id), output_index: 0, content_index: 0, delta, logprobs: [] },
]

/** Events between the last text and the end. */
function closing(
  base: ResponseBase,
  text: string,
  last: Exclude<Piece, { readonly type: 'text' }>,
): readonly Event[] {
  const refusal = last.type === 'done' ? last.refusal : null
  const calls = last.type === 'calls' ? callItems(last) : []
  const hasMessage = text !== '' || last.type !== 'calls'
  const opened = hasMessage && text === '' ? openedFor(base, refusal) : []
  const closed = hasMessage ? closedMessage(base, text, refusal) : []
  return [
    ...opened,
    ...closed,
    ...calls.flatMap((item, at) => call(item, at + (hasMessage ? 1 : 0))),
  ]
}

/** A message without a text begins with its refusal, if it has one. */
const openedFor = (base: ResponseBase, refusal: string | null): readonly Event[] =>
  refusal === null ? openedMessage(base) : openedMessage(base).slice(0, 1)

function closedMessage(base: ResponseBase, text: string, refusal: string | null): readonly Event[] {
  const at = { item_id: messageId(base.id), output_index: 0 }
  const first = { ...at, content_index: 0 }
  const item = messageItem(base.id, text, refusal)
  const done: Event = ['response.output_item.done', { output_index: 0, item }]
  const told: readonly Event[] = [
    ['response.output_text.done', { ...first, text, logprobs: [] }],
    ['response.content_part.done', { ...first, part: textPart(text) }],
  ]
  if (refusal === null) return [...told, done]
  const place = { ...at, content_index: text === '' ? 0 : 1 }
  const part = (said: string): Json => ({ type: 'refusal', refusal: said })
  return [
    ...(text === '' ? [] : told),
    ['response.content_part.added', { ...place, part: part('') }],
    ['response.refusal.delta', { ...place, delta: refusal }],
    ['response.refusal.done', { ...place, refusal }],
    ['response.content_part.done', { ...place, part: part(refusal) }],
    done,
  ]
}

function call(item: JsonObject, index: number): readonly Event[] {
  const { id = '', arguments: given = '', name = '' } = item
  const at = { item_id: id, output_index: index }
  const added = { ...item, arguments: '', status: 'in_progress' }
  return [
    ['response.output_item.added', { output_index: index, item: added }],
    ['response.function_call_arguments.delta', { ...at, delta: given }],
    ['response.function_call_arguments.done', { ...at, name, arguments: given }],
    ['response.output_item.done', { output_index: index, item }],
  ]
}
