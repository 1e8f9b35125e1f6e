import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { json } from 'node:stream/consumers'
import { EchelonError } from '../core/value/error.ts'
import { isJson, isJsonObject, isRecord, type JsonObject } from '../core/value/json.ts'
import { FAILED, type WireCall, type WireEvent, type WireFormat } from './wire/format.ts'
import { formatAt } from './wire/formats.ts'
import { openaiChat } from './wire/openai-chat.ts'
import type { ServerAnswer, ServerFault, ServerReply, ServerStatus } from './wire/script.ts'

export type { ServerAnswer } from './wire/script.ts'

/** A request as received by the server. */
export interface ServerRequest {
  /** From the first slash after the host to the end, with the query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
}

export interface LocalModelServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  /** Every request in one of the formats, in order. */
  readonly requests: readonly ServerRequest[]
  /**
   * @throws EchelonError UNEXPECTED_CALL when the number of requests differs from the script's
   * length.
   */
  assertComplete(): void
  /** Also ends open requests and frees the port. */
  close(): Promise<void>
}

/**
 * A scripted server on 127.0.0.1 at a free port, for tests of real clients over HTTP. Supports the
 * formats of `wire/formats.ts`, each at its own path, as JSON or as an event stream, depending on
 * the request. A request beyond the script gets status 400, which no client retries.
 */
export async function startModelServer(script: readonly ServerAnswer[]): Promise<LocalModelServer> {
  const requests: ServerRequest[] = []
  const server = createServer((request, response) => {
    receive(request)
      .then((received) => {
        if (received === null) return sendStatus(response, NOT_FOUND, openaiChat)
        const { request: asked, format } = received
        const number = requests.push(asked)
        const call = { path: asked.path, body: asked.body, number }
        return send(script[number - 1] ?? BEYOND_SCRIPT, { response, call, format })
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

/** The answer to a request that is not a call in any format. */
const NOT_FOUND: ServerStatus = { type: 'status', status: 404, message: 'no such path' }
const BEYOND_SCRIPT: ServerStatus = {
  type: 'status',
  status: 400,
  message: 'the script has no answer for this request',
  code: 'unexpected_call',
}

/** A request that is a call, and its format. */
interface Received {
  readonly request: ServerRequest
  readonly format: WireFormat
}

async function receive(request: IncomingMessage): Promise<Received | null> {
  const { method, url: path = '', headers } = request
  const format = formatAt(path)
  if (method !== 'POST' || format === undefined) return null
  const body: unknown = await json(request)
  if (!isJson(body) || !isJsonObject(body)) return null
  return { request: { path, headers, body }, format }
}

/** One answer in progress. */
interface Exchange {
  readonly response: ServerResponse
  readonly call: WireCall
  readonly format: WireFormat
}

async function send(answer: ServerAnswer, exchange: Exchange): Promise<void> {
  const { response, call, format } = exchange
  if (answer.type === 'status') return sendStatus(response, answer, format)
  const streams = format.streams(call)
  if (answer.type === 'reply') {
    if (streams) return streamReply(answer, exchange)
    return sendJson(response, JSON.stringify(format.whole(call, answer)))
  }
  return streams ? await breakStream(answer, exchange) : breakAnswer(answer, exchange)
}

function sendStatus(response: ServerResponse, answer: ServerStatus, format: WireFormat): void {
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
  response.end(JSON.stringify(format.error(answer)))
}

function streamReply(reply: ServerReply, { response, call, format }: Exchange): void {
  const { begun, finished, last } = format.stream(call, reply)
  openStream(response, [...begun, ...finished, ...last])
  response.end()
}

async function breakStream({ type, after }: ServerFault, exchange: Exchange): Promise<void> {
  const { response, call, format } = exchange
  const reply: ServerReply = { type: 'reply', ...(after === undefined ? {} : { text: after }) }
  const { begun, failed, last } = format.stream(call, reply)
  if (after !== undefined || (type !== 'reset' && type !== 'silence')) openStream(response, begun)
  switch (type) {
    case 'reset':
      await flushed(response)
      response.destroy()
      return
    case 'end':
      response.end(textOf(last))
      return
    case 'malformed':
      response.end(`data: ${CUT_JSON}\n\n${textOf(last)}`)
      return
    case 'error':
      response.end(textOf([...failed, ...last]))
      return
    case 'silence':
      return
  }
}

function breakAnswer({ type }: ServerFault, { response, call, format }: Exchange): void {
  switch (type) {
    case 'reset':
      response.destroy()
      return
    case 'end':
    case 'malformed':
      sendJson(response, CUT_JSON)
      return
    case 'error':
      sendJson(response, JSON.stringify(format.failure?.(call) ?? format.error(FAILED)))
      return
    case 'silence':
      return
  }
}

const CUT_JSON = '{"choices": ['

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(text)
}

/** Writes each event separately, as a slow model would. */
function openStream(response: ServerResponse, events: readonly WireEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(textOf([event]))
}

const textOf = (events: readonly WireEvent[]): string =>
  events
    .map(({ event, data }) => {
      const type = event === undefined ? '' : `event: ${event}\n`
      return `${type}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
    })
    .join('')

/** Destroying a connection would lose written data that was not sent yet. */
async function flushed(response: ServerResponse): Promise<void> {
  if (response.headersSent) await new Promise((resolve) => response.write(': \n\n', resolve))
}

function portOf(address: unknown): number {
  const port = isRecord(address) ? address['port'] : undefined
  if (typeof port === 'number') return port
  throw new Error('the server has no port')
}
