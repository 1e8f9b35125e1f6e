import type { Json, JsonObject } from 'echelon/runtime'
import type { Context } from 'hono'
import { jsonBody } from '../http/json-body.ts'
import type { Env } from '../http/server-context.ts'
import type { Piece } from './answer-pieces.ts'
import { type ChatRequest, readChatRequest } from './chat-request.ts'
import {
  agentOf,
  collected,
  continueExchange,
  type Exchange,
  frame,
  piecesOf,
  type Shared,
  startExchange,
  streamed,
} from './exchange.ts'
import { asProblem, openAiError } from './openai-problem.ts'
import { lastResults, turnOf } from './said.ts'
import { chatUsage, headersOf } from './told.ts'

/** `POST /v1/chat/completions`. */
export async function chatCompletions(c: Context<Env>, shared: Shared): Promise<Response> {
  const request = readChatRequest(await jsonBody(c))
  const exchange = await exchangeOf(c, shared, request)
  const { isStream, output } = request
  const pieces = piecesOf(shared, exchange, { isHeld: !isStream, isObject: output !== undefined })
  const { run } = exchange
  const made = Math.floor(shared.context.clock.now() / 1000)
  const base = { id: `chatcmpl-${run.id}`, created: made, model: request.model }
  if (isStream) {
    const frames = (all: AsyncIterable<Piece>): AsyncGenerator<string, void> =>
      chunks(all, { base, exchange, includesUsage: request.includesUsage })
    return streamed(shared, pieces, { headers: headersOf(run), frames })
  }
  const { text, last } = await collected(c, pieces)
  const end = last.type === 'done' ? last.end : undefined
  if (last.type === 'question') run.cancel()
  const choice = {
    index: 0,
    message: messageOf(text, last),
    logprobs: null,
    finish_reason: finishOf(last),
  }
  const body = { ...base, object: 'chat.completion', choices: [choice] }
  return c.json({ ...body, usage: chatUsage(run, end) }, 200, headersOf(run, end))
}

/** Continues the run that waits for the results at the end of the messages, or starts one. */
async function exchangeOf(
  c: Context<Env>,
  shared: Shared,
  { model, said, tools, output }: ChatRequest,
): Promise<Exchange> {
  const principal = c.get('principal')
  const agent = agentOf(shared, model, principal)
  const results = lastResults(said)
  const waits = shared.waiting.find(results.keys(), principal, agent.name)
  if (waits !== undefined) return continueExchange(shared, waits, results)
  const input = await turnOf(agent, { said, tools, output })
  return startExchange(c, shared, { agent, input })
}

type Last = Exclude<Piece, { readonly type: 'text' }>

const finishOf = (last: Last): string =>
  last.type === 'calls' ? 'tool_calls' : last.type === 'question' ? 'stop' : last.finish

function messageOf(text: string, last: Last): JsonObject {
  return {
    role: 'assistant',
    content: text === '' && last.type !== 'question' ? null : text,
    refusal: last.type === 'done' ? last.refusal : null,
    ...(last.type === 'calls' && { tool_calls: toolCalls(last, false) }),
  }
}

const toolCalls = (
  { calls }: Extract<Last, { readonly type: 'calls' }>,
  hasIndex: boolean,
): readonly JsonObject[] =>
  calls.map(({ id, tool, input }, index) => ({
    ...(hasIndex && { index }),
    id,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  }))

interface Chunking {
  readonly base: JsonObject
  readonly exchange: Exchange
  readonly includesUsage: boolean
}

/** The mapping table: from pieces to chunks. */
async function* chunks(
  pieces: AsyncIterable<Piece>,
  { base, exchange: { run }, includesUsage }: Chunking,
): AsyncGenerator<string, void> {
  const chunk = (delta: JsonObject, finish: string | null = null): string => {
    const choice: Json = { index: 0, delta, logprobs: null, finish_reason: finish }
    const usage = includesUsage ? { usage: null } : {}
    return frame({ ...base, object: 'chat.completion.chunk', choices: [choice], ...usage })
  }
  yield chunk({ role: 'assistant', content: '', refusal: null })
  try {
    for await (const piece of pieces) {
      if (piece.type === 'text') {
        yield chunk({ content: piece.delta })
        continue
      }
      if (piece.type === 'calls') yield chunk({ tool_calls: toolCalls(piece, true) })
      if (piece.type === 'question') run.cancel()
      if (piece.type === 'done' && piece.refusal !== null) yield chunk({ refusal: piece.refusal })
      yield chunk({}, finishOf(piece))
      const end = piece.type === 'done' ? piece.end : undefined
      const usage = chatUsage(run, end)
      if (includesUsage) {
        yield frame({ ...base, object: 'chat.completion.chunk', choices: [], usage })
      }
    }
    yield 'data: [DONE]\n\n'
  } catch (error) {
    yield frame(openAiError(asProblem(error)))
  }
}
