import {
  A2A_CONTENT_TYPE,
  A2A_PROTOCOL_VERSION,
  A2A_VERSION_HEADER,
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import {
  A2AError,
  ContentTypeNotSupportedError,
  RequestMalformedError,
  toRestErrorBody,
} from '@a2a-js/sdk/errors'
import { isJson, isJsonObject, type JsonObject } from 'echelon/runtime'
import { eventStream, sseFrame } from '../http/event-stream.ts'
import { httpStatusOf } from './a2a-errors.ts'
import { type CallOf, type A2aContext, begun, checkVersion, isJsonBody } from './a2a-call.ts'
import type { AgentTasks } from './agent-tasks.ts'
import { checkShape } from './request-shape.ts'

/** The services of a route. */
interface Asked {
  readonly c: A2aContext
  readonly tasks: AgentTasks
  readonly leave: () => void
  /** The parts of the path after the agent. */
  readonly path: readonly string[]
}

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With `*` for an id, and `*:verb` for an id with a verb. */
  readonly path: string
  readonly run: (asked: Asked) => Promise<Response>
}

/** HTTP+JSON of version 1.0, below the address of the agent. */
const ROUTES: readonly Route[] = [
  { method: 'GET', path: 'extendedAgentCard', run: extendedCard },
  { method: 'POST', path: 'message:send', run: send },
  { method: 'POST', path: 'message:stream', run: stream },
  { method: 'GET', path: 'tasks', run: list },
  { method: 'GET', path: 'tasks/*:subscribe', run: subscribe },
  { method: 'POST', path: 'tasks/*:subscribe', run: subscribe },
  { method: 'POST', path: 'tasks/*:cancel', run: cancel },
  { method: 'GET', path: 'tasks/*', run: get },
  { method: 'POST', path: 'tasks/*/pushNotificationConfigs', run: addTarget },
  { method: 'GET', path: 'tasks/*/pushNotificationConfigs', run: listTargets },
  { method: 'GET', path: 'tasks/*/pushNotificationConfigs/*', run: getTarget },
  { method: 'DELETE', path: 'tasks/*/pushNotificationConfigs/*', run: deleteTarget },
]

/** @returns `undefined` for a path outside the transport */
export async function rest(
  c: A2aContext,
  path: readonly string[],
  callOf: CallOf,
): Promise<Response | undefined> {
  const route = ROUTES.find((one) => one.method === c.req.method && fits(one.path, path))
  if (route === undefined) return undefined
  try {
    // A client without the header, such as curl, gets the only version.
    const version = c.req.header(A2A_VERSION_HEADER) || A2A_PROTOCOL_VERSION
    checkVersion(version, [A2A_PROTOCOL_VERSION])
    if (!isJsonBody(c)) throw new ContentTypeNotSupportedError('send JSON')
    const { tasks, leave } = callOf(version)
    return await route.run({ c, tasks, leave, path: idsOf(route.path, path) })
  } catch (error) {
    const { body, status } = told(error)
    return json(body, status)
  }
}

function fits(pattern: string, path: readonly string[]): boolean {
  const wanted = pattern.split('/')
  return (
    wanted.length === path.length &&
    wanted.every((one, at) => {
      const given = path[at] ?? ''
      if (one === '*') return true
      return one.startsWith('*') ? given.endsWith(one.slice(1)) : given === one
    })
  )
}

/** The ids in a path, without verbs. */
const idsOf = (pattern: string, path: readonly string[]): readonly string[] =>
  pattern.split('/').flatMap((one, at) => {
    if (!one.startsWith('*')) return []
    const given = path[at] ?? ''
    return [given.slice(0, given.length - (one.length - 1))]
  })

function told(error: unknown): { readonly body: unknown; readonly status: number } {
  // The SDK's conversion throws errors of any kind for a request that does not fit.
  const known =
    error instanceof A2AError
      ? error
      : new RequestMalformedError('the request does not fit the method')
  const status = httpStatusOf(known)
  return { body: toRestErrorBody(known, status), status }
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': A2A_CONTENT_TYPE } })

async function bodyOf(c: A2aContext, method: string): Promise<JsonObject> {
  const text = await c.req.text()
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch {
    throw new RequestMalformedError('the body is not JSON')
  }
  if (!isJson(body) || !isJsonObject(body)) {
    throw new RequestMalformedError('send a JSON object, nested at most 64 levels deep')
  }
  checkShape(method, body)
  return body
}

async function send({ c, tasks }: Asked): Promise<Response> {
  const params = SendMessageRequest.fromJSON(await bodyOf(c, 'SendMessage'))
  const value = await tasks.sendMessage(params)
  return json(SendMessageResponse.toJSON({ payload: { $case: 'task', value } }))
}

async function stream({ c, tasks, leave }: Asked): Promise<Response> {
  const params = SendMessageRequest.fromJSON(await bodyOf(c, 'SendStreamingMessage'))
  return eventStream(framed(await begun(tasks.sendMessageStream(params))), { onClose: leave })
}

async function subscribe({ tasks, leave, path: [id = ''] }: Asked): Promise<Response> {
  return eventStream(framed(await begun(tasks.resubscribe({ tenant: '', id }))), { onClose: leave })
}

async function* framed(events: AsyncGenerator<StreamResponse, void>): AsyncGenerator<string, void> {
  try {
    for await (const event of events)
      yield sseFrame({ data: JSON.stringify(StreamResponse.toJSON(event)) })
  } catch (error) {
    yield sseFrame({ event: 'error', data: JSON.stringify(told(error).body) })
  }
}

async function get({ c, tasks, path: [id = ''] }: Asked): Promise<Response> {
  const historyLength = numberIn(c, 'historyLength')
  return json(Task.toJSON(await tasks.getTask({ tenant: '', id, historyLength })))
}

async function cancel({ tasks, path: [id = ''] }: Asked): Promise<Response> {
  return json(Task.toJSON(await tasks.cancelTask({ tenant: '', id, metadata: undefined })))
}

async function list({ c, tasks }: Asked): Promise<Response> {
  const query = c.req.query()
  const status = Number.isNaN(Number(query['status'])) ? query['status'] : Number(query['status'])
  const found = await tasks.listTasks({
    ...ListTasksRequest.fromJSON({ ...query, status }),
    pageSize: numberIn(c, 'pageSize'),
    historyLength: numberIn(c, 'historyLength'),
    includeArtifacts: query['includeArtifacts'] === 'true',
  })
  const shown: unknown = ListTasksResponse.toJSON(found)
  // ProtoJSON leaves out what is empty, but a list is always there.
  const { tasks: all, nextPageToken: token, pageSize, totalSize } = found
  const empty = {
    nextPageToken: token,
    pageSize,
    totalSize,
    ...(all.length === 0 && { tasks: [] }),
  }
  return json({ ...empty, ...(typeof shown === 'object' && shown) })
}

async function extendedCard({ tasks }: Asked): Promise<Response> {
  return json(AgentCard.toJSON(await tasks.getAuthenticatedExtendedAgentCard()))
}

async function addTarget({ c, tasks, path: [taskId = ''] }: Asked): Promise<Response> {
  const body = await bodyOf(c, 'CreateTaskPushNotificationConfig')
  const config = TaskPushNotificationConfig.fromJSON({ ...body, taskId })
  const made = await tasks.createTaskPushNotificationConfig(config)
  return json(TaskPushNotificationConfig.toJSON(made), 201)
}

async function listTargets({ tasks, path: [taskId = ''] }: Asked): Promise<Response> {
  const found = await tasks.listTaskPushNotificationConfigs({
    tenant: '',
    taskId,
    pageSize: 0,
    pageToken: '',
  })
  return json(ListTaskPushNotificationConfigsResponse.toJSON(found))
}

async function getTarget({ tasks, path: [taskId = '', id = ''] }: Asked): Promise<Response> {
  const found = await tasks.getTaskPushNotificationConfig({ tenant: '', taskId, id })
  return json(TaskPushNotificationConfig.toJSON(found))
}

async function deleteTarget({ tasks, path: [taskId = '', id = ''] }: Asked): Promise<Response> {
  await tasks.deleteTaskPushNotificationConfig({ tenant: '', taskId, id })
  return new Response(null, { status: 204 })
}

/** @throws RequestMalformedError */
function numberIn(c: A2aContext, name: string): number | undefined {
  const text = c.req.query(name)
  if (text === undefined || text === '') return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw new RequestMalformedError(`${name} is a whole number`)
  return Number(text)
}
