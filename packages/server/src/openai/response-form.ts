import type { JsonObject } from 'echelon/runtime'
import type { LiveRun } from '../runs/live-run.ts'
import type { Piece } from './answer-pieces.ts'
import type { HttpProblem } from '../http/problem.ts'
import { responseUsage } from './told.ts'

type Last = Exclude<Piece, { readonly type: 'text' }>

/** A response before its answer. */
export interface ResponseBase {
  readonly id: string
  readonly created_at: number
  readonly model: string
  readonly echo: JsonObject
}

/**
 * The id of a response names its run, so that it is found after a restart. A run has several responses if
 * it waited for results in between.
 */
export const responseId = (run: string, number: number): string =>
  number === 0 ? `resp_${run}` : `resp_${run}.${number}`

/** The run of a response; `undefined` for an id of no response. */
export const runOfResponse = (id: string): string | undefined =>
  /^resp_([\w-]{1,150})(?:\.\d{1,6})?$/.exec(id)?.[1]

const form = (base: ResponseBase, fields: JsonObject): JsonObject => ({
  id: base.id,
  object: 'response',
  created_at: base.created_at,
  background: false,
  error: null,
  incomplete_details: null,
  model: base.model,
  user: null,
  ...base.echo,
  ...fields,
})

export const begunResponse = (base: ResponseBase): JsonObject =>
  form(base, { status: 'in_progress', output: [], usage: null })

/** Only these two of OpenAI's codes say something about a run. */
export function failedResponse(base: ResponseBase, { status, message }: HttpProblem): JsonObject {
  const code = status === 429 ? 'rate_limit_exceeded' : 'server_error'
  return form(base, { status: 'failed', output: [], usage: null, error: { code, message } })
}

export interface Answered {
  readonly text: string
  readonly last: Last
}

export function wholeResponse(
  base: ResponseBase,
  run: LiveRun,
  { text, last }: Answered,
): JsonObject {
  const refusal = last.type === 'done' ? last.refusal : null
  const hasMessage = text !== '' || refusal !== null || last.type !== 'calls'
  const calls = last.type === 'calls' ? callItems(last) : []
  const output = [...(hasMessage ? [messageItem(base.id, text, refusal)] : []), ...calls]
  const usage = responseUsage(run, last.type === 'done' ? last.end : undefined)
  return form(base, { ...statusOf(last), output, output_text: text, usage })
}

export const isComplete = (last: Last): boolean =>
  last.type !== 'done' || last.finish === 'stop' || last.finish === 'tool_calls'

const statusOf = (last: Last): JsonObject =>
  isComplete(last) || last.type !== 'done'
    ? { status: 'completed' }
    : {
        status: 'incomplete',
        incomplete_details: {
          reason: last.finish === 'length' ? 'max_output_tokens' : 'content_filter',
        },
      }

/** A message has one text; a refusal follows it. */
export const messageItem = (id: string, text: string, refusal: string | null): JsonObject => ({
  id: messageId(id),
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [...(text === '' && refusal !== null ? [] : [textPart(text)]), ...refusalParts(refusal)],
})

export const messageId = (response: string): string => `msg_${response.slice('resp_'.length)}`

export const textPart = (text: string): JsonObject => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
})

const refusalParts = (refusal: string | null): readonly JsonObject[] =>
  refusal === null ? [] : [{ type: 'refusal', refusal }]

export const callItems = ({
  calls,
}: Extract<Last, { readonly type: 'calls' }>): readonly JsonObject[] =>
  calls.map(({ id, tool, input }) => ({
    id: `fc_${id.slice('call_'.length)}`,
    type: 'function_call',
    status: 'completed',
    call_id: id,
    name: tool,
    arguments: JSON.stringify(input),
  }))
