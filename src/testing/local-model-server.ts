import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { json } from 'node:stream/consumers'
import { EchelonError } from '../core/error.ts'
import { isJson, isJsonObject, isRecord, type Json, type JsonObject } from '../core/json.ts'
import type { Usage } from '../core/model.ts'

/** What the server does with one request. Pieces of text arrive one by one where it streams. */
export type ServerAnswer = ServerReply | ServerStatus | ServerFault

export interface ServerReply {
  readonly type: 'reply'
  readonly text?: readonly string[]
  readonly toolCalls?: readonly { readonly tool: string; readonly input: Json }[]
  /** Default `tool_calls` when there are some, else `stop`. */
  readonly finishReason?: string
  /** `null` is a server that reports none. Default 10 tokens in and 5 out. */
  readonly usage?: Usage | null
}

/** An HTTP error in OpenAI's format. */
export interface ServerStatus {
  readonly type: 'status'
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
  readonly code?: string
}

/**
 * What goes wrong after a status of 200.
 * `reset`: the connection breaks. `end`: a stream stops without a finish reason. `silence`: nothing
 * more comes. `malformed`: what comes is no JSON. `error`: an error object instead of an answer.
 */
export interface ServerFault {
  readonly type: 'reset' | 'end' | 'silence' | 'malformed' | 'error'
  /** Pieces of text that are streamed first. Without them `reset` and `silence` send no status. */
  readonly after?: readonly string[]
}

/** A request as it came over the wire. */
export interface ServerRequest {
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
}

export interface LocalModelServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  /** Every request to chat completions, in order. */
  readonly requests: readonly ServerRequest[]
  /** @throws EchelonError UNEXPECTED_CALL when requests and script are not of one length. */
  assertComplete(): void
  /** Ends open requests too and frees the port. */
  close(): Promise<void>
}

/**
 * A server on 127.0.0.1, at a free port, that speaks OpenAI's chat completions, as JSON or as a
 * stream of events, and answers by a script: for tests of real clients over a real wire. A request
 * beyond the script gets status 400, which no client repeats.
 */
export async function startModelServer(script: readonly ServerAnswer[]): Promise<LocalModelServer> {
  const requests: ServerRequest[] = []
  const server = createServer((request, response) => {
    receive(request)
      .then((received) => {
        if (received === null) return sendStatus(response, NOT_FOUND)
        const answer = script[requests.push(received) - 1] ?? BEYOND_SCRIPT
        return send(answer, { response, body: received.body, number: requests.length })
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return {
    baseUrl: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    assertComplete: () => {
      if (requests.length === script.length) return
      throw new EchelonError(
        'UNEXPECTED_CALL',
        `the server got ${requests.length} requests, but its script holds ${script.length} answers`,
      )
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const NOT_FOUND: ServerStatus = { type: 'status', status: 404, message: 'no such path' }
const BEYOND_SCRIPT: ServerStatus = {
  type: 'status',
  status: 400,
  message: 'the script has no answer for this request',
  code: 'unexpected_call',
}

/** One answer in the making. */
interface Exchange {
  readonly response: ServerResponse
  readonly body: JsonObject
  readonly number: number
}

async function receive(request: IncomingMessage): Promise<ServerRequest | null> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return null
  const body: unknown = await json(request)
  if (!isJson(body) || !isJsonObject(body)) return null
  return { headers: request.headers, body }
}

async function send(answer: ServerAnswer, exchange: Exchange): Promise<void> {
  if (answer.type === 'status') return sendStatus(exchange.response, answer)
  const streams = exchange.body['stream'] === true
  if (answer.type === 'reply')
    return streams ? streamReply(answer, exchange) : sendReply(answer, exchange)
  return streams ? await breakStream(answer, exchange) : breakAnswer(answer, exchange.response)
}

function sendStatus(response: ServerResponse, answer: ServerStatus): void {
  const { status, headers, message = `status ${status}`, code = null } = answer
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: { message, type: 'scripted', param: null, code } }))
}

function sendReply(reply: ServerReply, { response, body, number }: Exchange): void {
  const message = {
    role: 'assistant',
    content: reply.text === undefined ? null : reply.text.join(''),
    ...(reply.toolCalls === undefined ? {} : { tool_calls: toolCallsOf(reply, number) }),
  }
  sendJson(
    response,
    JSON.stringify({
      ...envelope('chat.completion', body, number),
      choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
      ...usageOf(reply),
    }),
  )
}

function streamReply(reply: ServerReply, exchange: Exchange): void {
  const { response, body, number } = exchange
  openStream(exchange, reply.text)
  for (const [index, call] of toolCallsOf(reply, number).entries()) {
    sendDelta(exchange, { tool_calls: [{ index, ...call }] })
  }
  sendDelta(exchange, {}, finishOf(reply))
  const options = body['stream_options']
  if (isJsonObject(options) && options['include_usage'] === true) {
    sendEvent(response, { ...envelope(CHUNK, body, number), choices: [], ...usageOf(reply) })
  }
  response.end('data: [DONE]\n\n')
}

async function breakStream({ type, after }: ServerFault, exchange: Exchange): Promise<void> {
  const { response } = exchange
  if (after !== undefined || (type !== 'reset' && type !== 'silence')) openStream(exchange, after)
  switch (type) {
    case 'reset':
      await flushed(response)
      response.destroy()
      return
    case 'end':
      response.end('data: [DONE]\n\n')
      return
    case 'malformed':
      response.end('data: {"choices": [\n\ndata: [DONE]\n\n')
      return
    case 'error':
      sendEvent(response, ERROR_BODY)
      response.end('data: [DONE]\n\n')
      return
    case 'silence':
      return
  }
}

function breakAnswer({ type }: ServerFault, response: ServerResponse): void {
  switch (type) {
    case 'reset':
      response.destroy()
      return
    case 'end':
    case 'malformed':
      sendJson(response, '{"choices": [')
      return
    case 'error':
      sendJson(response, JSON.stringify(ERROR_BODY))
      return
    case 'silence':
      return
  }
}

const CHUNK = 'chat.completion.chunk'
const ERROR_BODY = {
  error: { message: 'the server failed', type: 'server_error', param: null, code: null },
}

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(text)
}

function openStream(exchange: Exchange, text: readonly string[] = []): void {
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
  sendDelta(exchange, { role: 'assistant' })
  for (const content of text) sendDelta(exchange, { content })
}

function sendDelta(
  { response, body, number }: Exchange,
  delta: JsonObject,
  finish: string | null = null,
): void {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  sendEvent(response, { ...envelope(CHUNK, body, number), choices })
}

function sendEvent(response: ServerResponse, data: JsonObject): void {
  response.write(`data: ${JSON.stringify(data)}\n\n`)
}

/** A connection that is destroyed loses what was written and has not left. */
async function flushed(response: ServerResponse): Promise<void> {
  if (response.headersSent) await new Promise((resolve) => response.write(': \n\n', resolve))
}

const envelope = (object: string, body: JsonObject, number: number): JsonObject => ({
  id: `chatcmpl-${number}`,
  object,
  created: 1_700_000_000,
  model: body['model'] ?? null,
})

const finishOf = ({ finishReason, toolCalls = [] }: ServerReply): string =>
  finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')

const toolCallsOf = ({ toolCalls = [] }: ServerReply, number: number): JsonObject[] =>
  toolCalls.map(({ tool, input }, index) => ({
    id: `call-${number}-${index + 1}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  }))

function usageOf({ usage = { input: 10, output: 5 } }: ServerReply): JsonObject {
  if (usage === null) return {}
  const { input, output } = usage
  return {
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

function portOf(address: unknown): number {
  const port = isRecord(address) ? address['port'] : undefined
  if (typeof port === 'number') return port
  throw new Error('the server has no port')
}
