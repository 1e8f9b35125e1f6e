import { RequestMalformedError } from '@a2a-js/sdk/errors'
import type { Json } from 'echelon/runtime'
import { z } from 'zod'

/*
 * The shapes of requests on the wire. The SDK converts anything that it is given, so what does not have
 * the right shape is refused before. `null` is as good as absent, as in ProtoJSON.
 */

const MOST_PARTS = 100
const MOST_NAMES = 100
const MOST_CHARACTERS = 4 * 1024 * 1024

const text = z.string().max(MOST_CHARACTERS).nullish()
const name = z.string().max(2048).nullish()
const names = z.array(z.string().max(2048)).max(MOST_NAMES).nullish()
const count = z.union([z.number(), z.string().max(16)]).nullish()
const flag = z.boolean().nullish()
const fields = z.record(z.string(), z.json()).nullish()

const PART = z.object({
  text,
  raw: text,
  url: name,
  metadata: fields,
  filename: name,
  mediaType: name,
})

const MESSAGE = z.object({
  messageId: z.string().max(2048),
  contextId: name,
  taskId: name,
  role: z.union([z.string().max(64), z.number()]),
  parts: z.array(PART).max(MOST_PARTS),
  metadata: fields,
  extensions: names,
  referenceTaskIds: names,
})

const AUTHENTICATION = z.object({ scheme: name, credentials: name }).nullish()

const PUSH = z.object({
  tenant: name,
  id: name,
  taskId: name,
  url: name,
  token: name,
  authentication: AUTHENTICATION,
})

const SEND = z.object({
  tenant: name,
  message: MESSAGE,
  configuration: z
    .object({
      acceptedOutputModes: names,
      taskPushNotificationConfig: PUSH.nullish(),
      historyLength: count,
      returnImmediately: flag,
    })
    .nullish(),
  metadata: fields,
})

const NAMED = z.object({
  tenant: name,
  id: name,
  taskId: name,
  historyLength: count,
  metadata: fields,
})

const LIST = z.object({
  tenant: name,
  contextId: name,
  status: z.union([z.string().max(64), z.number()]).nullish(),
  pageSize: count,
  pageToken: name,
  historyLength: count,
  statusTimestampAfter: name,
  includeArtifacts: flag,
})

const FILE = z.object({ bytes: text, uri: name, mimeType: name, name })

const LEGACY_PART = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().max(MOST_CHARACTERS), metadata: fields }),
  z.object({ kind: z.literal('file'), file: FILE, metadata: fields }),
  z.object({ kind: z.literal('data'), data: z.json(), metadata: fields }),
])

const LEGACY_MESSAGE = MESSAGE.extend({
  role: z.enum(['user', 'agent']),
  parts: z.array(LEGACY_PART).max(MOST_PARTS),
})

const LEGACY_PUSH = z.object({
  id: name,
  url: z.string().max(2048),
  token: name,
  authentication: z.object({ schemes: names, credentials: name }).nullish(),
})

const LEGACY_SEND = z.object({
  message: LEGACY_MESSAGE,
  configuration: z
    .object({
      acceptedOutputModes: names,
      pushNotificationConfig: LEGACY_PUSH.nullish(),
      historyLength: count,
      blocking: flag,
    })
    .nullish(),
  metadata: fields,
})

const LEGACY_NAMED = z.object({
  id: z.string().max(2048),
  pushNotificationConfigId: name,
  historyLength: count,
  metadata: fields,
})

const ANY = z.unknown()

/** By JSON-RPC method, of both versions. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  SendMessage: SEND,
  SendStreamingMessage: SEND,
  GetTask: NAMED,
  ListTasks: LIST,
  CancelTask: NAMED,
  SubscribeToTask: NAMED,
  CreateTaskPushNotificationConfig: PUSH,
  GetTaskPushNotificationConfig: NAMED,
  ListTaskPushNotificationConfigs: NAMED,
  DeleteTaskPushNotificationConfig: NAMED,
  GetExtendedAgentCard: ANY,
  'message/send': LEGACY_SEND,
  'message/stream': LEGACY_SEND,
  'tasks/get': LEGACY_NAMED,
  'tasks/cancel': LEGACY_NAMED,
  'tasks/resubscribe': LEGACY_NAMED,
  'tasks/pushNotificationConfig/set': z.object({
    taskId: z.string().max(2048),
    pushNotificationConfig: LEGACY_PUSH,
  }),
  'tasks/pushNotificationConfig/get': LEGACY_NAMED,
  'tasks/pushNotificationConfig/list': LEGACY_NAMED,
  'tasks/pushNotificationConfig/delete': LEGACY_NAMED,
  'agent/getAuthenticatedExtendedCard': ANY,
}

/** @throws RequestMalformedError that says where the parameters of a method do not fit */
export function checkShape(method: string, params: Json | undefined): void {
  const shape = Object.hasOwn(SHAPES, method) ? SHAPES[method] : undefined
  // The transport knows what to say of an unknown method.
  if (shape === undefined) return
  const { error } = shape.safeParse(params)
  const [issue] = error?.issues ?? []
  if (issue === undefined) return
  const place = ['params', ...issue.path].map(String).join('.')
  throw new RequestMalformedError(`${place}: ${issue.message}`)
}
