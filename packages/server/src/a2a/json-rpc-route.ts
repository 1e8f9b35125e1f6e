import { A2A_PROTOCOL_VERSION } from '@a2a-js/sdk'
import { A2A_ERROR_CODE, ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import { JsonRpcTransportHandler } from '@a2a-js/sdk/server'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import { z } from 'zod'
import { eventStream, sseFrame } from '../http/event-stream.ts'
import {
  type A2aCall,
  type A2aContext,
  begun,
  type CallOf,
  checkVersion,
  isJsonBody,
  versionIn,
} from './a2a-call.ts'
import { LEGACY_VERSION } from './agent-card.ts'
import { checkShape } from './request-shape.ts'

/** Clients of 0.3 can't read an answer to these that is not a stream, even an error. */
const LEGACY_STREAMS: ReadonlySet<Json> = new Set(['message/stream', 'tasks/resubscribe'])

/** JSON-RPC of both versions. Errors are answers with the status 200, as in the SDK. */
export async function jsonRpc(c: A2aContext, callOf: CallOf): Promise<Response> {
  const version = versionIn(c)
  const isLegacy = version === LEGACY_VERSION
  if (!isJsonBody(c)) {
    return c.json(envelope(null, new ContentTypeNotSupportedError('send JSON'), isLegacy))
  }
  const body = await bodyOf(c)
  if (body === undefined) {
    return c.json(answer(null, A2A_ERROR_CODE.PARSE_ERROR, 'the body is not JSON'))
  }
  if (!isJson(body) || !isJsonObject(body)) {
    const message = 'send one JSON object, nested at most 64 levels deep'
    return c.json(answer(null, A2A_ERROR_CODE.INVALID_REQUEST, message))
  }
  const id = idIn(body)
  const { jsonrpc, id: givenId = null, method, params } = body
  if (jsonrpc !== '2.0' || typeof method !== 'string' || method === '' || id !== givenId) {
    const message = 'the body is not a JSON-RPC 2.0 request'
    return c.json(answer(id, A2A_ERROR_CODE.INVALID_REQUEST, message))
  }
  try {
    checkVersion(version, [A2A_PROTOCOL_VERSION, LEGACY_VERSION])
    checkShape(method, params)
    return await handled(c, { body, id, isLegacy, call: callOf(version) })
  } catch (error) {
    const told = envelope(id, error, isLegacy)
    return isLegacy && LEGACY_STREAMS.has(method) ? eventStream(errorFrame(told)) : c.json(told)
  }
}

interface Asked {
  readonly body: JsonObject
  readonly id: Json
  readonly isLegacy: boolean
  readonly call: A2aCall
}

async function handled(c: A2aContext, { body, id, isLegacy, call }: Asked): Promise<Response> {
  const { tasks, context } = call
  const transport = isLegacy
    ? new LegacyJsonRpcTransportHandler(tasks)
    : new JsonRpcTransportHandler(tasks)
  const given: Record<string, unknown> = { ...body }
  const result = await transport.handle(given, context)
  if (!(Symbol.asyncIterator in result)) {
    const code = codeIn(result)
    // If the SDK cannot convert a request, the request is invalid, unless the server is at fault.
    if (code === A2A_ERROR_CODE.INTERNAL_ERROR && !call.hadFault()) {
      return c.json(
        answer(id, A2A_ERROR_CODE.INVALID_PARAMS, 'the parameters do not fit the method'),
      )
    }
    return c.json(result)
  }
  const stream = await begun(result)
  const frames = framed(stream, (error) => envelope(id, error, isLegacy))
  return eventStream(frames, { onClose: call.leave })
}

async function* errorFrame(told: JsonObject): AsyncGenerator<string, void> {
  yield sseFrame({ event: 'error', data: JSON.stringify(told) })
}

async function* framed(
  stream: AsyncGenerator<unknown, void>,
  failedWith: (error: unknown) => JsonObject,
): AsyncGenerator<string, void> {
  try {
    for await (const event of stream) yield sseFrame({ data: JSON.stringify(shown(event)) })
  } catch (error) {
    yield* errorFrame(failedWith(error))
  }
}

/** In 0.3, the event that ends a stream says so; the SDK says it only of a task that is over. */
function shown(event: unknown): unknown {
  const parsed = INPUT_REQUIRED.safeParse(event)
  if (!parsed.success) return event
  return { ...parsed.data, result: { ...parsed.data.result, final: true } }
}

const INPUT_REQUIRED = z.looseObject({
  result: z.looseObject({
    kind: z.literal('status-update'),
    status: z.looseObject({ state: z.literal('input-required') }),
  }),
})

function envelope(id: Json, error: unknown, isLegacy: boolean): JsonObject {
  const told: unknown = isLegacy
    ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
    : JsonRpcTransportHandler.mapToJSONRPCError(error)
  return { jsonrpc: '2.0', id, error: isJson(told) ? told : null }
}

function codeIn(result: object): unknown {
  const error = 'error' in result ? result.error : undefined
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

const answer = (id: Json, code: number, message: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

function idIn({ id = null }: JsonObject): Json {
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null
}

async function bodyOf(c: A2aContext): Promise<unknown> {
  const text = await c.req.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
