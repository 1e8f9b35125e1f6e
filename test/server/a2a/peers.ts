import { type Message, Role, type StreamResponse, type Task, taskStateToJSON } from '@a2a-js/sdk'
import {
  ClientFactory,
  type ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import {
  ClientFactory as OldClientFactory,
  JsonRpcTransportFactory as OldJsonRpcFactory,
} from 'a2a-sdk-0/client'
import type { Message as OldMessage, Part as OldPart, Task as OldTask } from 'a2a-sdk-0'

/** A part that a user sends. */
export type SentPart =
  | string
  | { readonly data: Readonly<Record<string, unknown>> }
  | { readonly file: string; readonly mediaType: string; readonly name: string }
  | { readonly url: string }

export interface SentOptions {
  readonly task?: Pick<ShownTask, 'id' | 'context'>
  readonly context?: string
  readonly isImmediate?: boolean
  readonly historyLength?: number
  readonly push?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly accepted?: readonly string[]
}

/** A task in words that both versions share. */
export interface ShownTask {
  readonly id: string
  readonly context: string
  /** As in 0.3, such as `input-required`. */
  readonly state: string
  /** Of its status. */
  readonly says: string
  /** Data parts of its status. */
  readonly data: readonly unknown[]
  /** Texts of artifacts by id. */
  readonly artifacts: Readonly<Record<string, string>>
  readonly metadata: unknown
  /** Roles of the messages, in order. */
  readonly history: readonly string[]
}

export type ShownEvent =
  | { readonly type: 'task'; readonly task: ShownTask }
  | {
      readonly type: 'status'
      readonly state: string
      readonly says: string
      readonly metadata: unknown
    }
  | {
      readonly type: 'artifact'
      readonly id: string
      readonly text: string
      readonly append: boolean
      readonly last: boolean
      readonly metadata: unknown
    }

/** A real client of some version and transport. */
export interface Peer {
  readonly name: string
  send(part: SentPart | readonly SentPart[], options?: SentOptions): Promise<ShownTask>
  stream(
    part: SentPart | readonly SentPart[],
    options?: SentOptions,
  ): AsyncGenerator<ShownEvent, void>
  get(id: string, historyLength?: number): Promise<ShownTask>
  cancel(id: string): Promise<ShownTask>
  resubscribe(id: string): AsyncGenerator<ShownEvent, void>
  setPush(id: string, url: string): Promise<string>
  listPush(id: string): Promise<readonly string[]>
  getPush(id: string, config: string): Promise<string>
  deletePush(id: string, config: string): Promise<void>
}

export type PeerMaker = (url: string, agent: string, token?: string) => Promise<Peer>

const authorized =
  (token: string | undefined): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }

const isList = (part: SentPart | readonly SentPart[]): part is readonly SentPart[] =>
  Array.isArray(part)

const listOf = (part: SentPart | readonly SentPart[]): readonly SentPart[] =>
  isList(part) ? part : [part]

/** The SDK's client of 1.0. */
const newPeer =
  (transport: 'JSONRPC' | 'HTTP+JSON'): PeerMaker =>
  async (url, agent, token) => {
    const fetchImpl = authorized(token)
    const options: ClientFactoryOptions = {
      transports: [
        transport === 'JSONRPC'
          ? new JsonRpcTransportFactory({ fetchImpl })
          : new RestTransportFactory({ fetchImpl }),
      ],
    }
    const client = await new ClientFactory(options).createFromUrl(`${url}/a2a/${agent}/`)
    const tenant = ''
    const request = (part: SentPart | readonly SentPart[], options: SentOptions = {}) => ({
      tenant,
      message: newMessage(listOf(part), options),
      configuration: {
        acceptedOutputModes: [...(options.accepted ?? [])],
        taskPushNotificationConfig:
          options.push === undefined
            ? undefined
            : {
                tenant,
                id: '',
                taskId: '',
                url: options.push,
                token: 'secret-1',
                authentication: undefined,
              },
        historyLength: options.historyLength,
        returnImmediately: options.isImmediate ?? false,
      },
      metadata: options.options === undefined ? undefined : { options: options.options },
    })
    return {
      name: `1.0 ${transport}`,
      async send(part, options) {
        const result = await client.sendMessage(request(part, options))
        if ('messageId' in result) throw new Error('a task was expected')
        return newTask(result)
      },
      async *stream(part, options) {
        for await (const event of client.sendMessageStream(request(part, options)))
          yield newEvent(event)
      },
      get: async (id, historyLength) =>
        newTask(await client.getTask({ tenant, id, historyLength })),
      cancel: async (id) => newTask(await client.cancelTask({ tenant, id, metadata: undefined })),
      async *resubscribe(id) {
        for await (const event of client.resubscribeTask({ tenant, id })) yield newEvent(event)
      },
      setPush: async (taskId, address) => {
        const config = {
          tenant,
          id: '',
          taskId,
          url: address,
          token: '',
          authentication: undefined,
        }
        return (await client.createTaskPushNotificationConfig(config)).id
      },
      listPush: async (taskId) => {
        const query = { tenant, taskId, pageSize: 0, pageToken: '' }
        return (await client.listTaskPushNotificationConfig(query)).configs.map((one) => one.url)
      },
      getPush: async (taskId, id) =>
        (await client.getTaskPushNotificationConfig({ tenant, taskId, id })).url,
      deletePush: (taskId, id) => client.deleteTaskPushNotificationConfig({ tenant, taskId, id }),
    }
  }

/** The SDK's client of 0.3. */
const oldPeer: PeerMaker = async (url, agent, token) => {
  const fetchImpl = authorized(token)
  const factory = new OldClientFactory({ transports: [new OldJsonRpcFactory({ fetchImpl })] })
  const client = await factory.createFromUrl(`${url}/a2a/${agent}/`)
  const request = (part: SentPart | readonly SentPart[], options: SentOptions = {}) => ({
    message: oldMessage(listOf(part), options),
    configuration: {
      blocking: options.isImmediate !== true,
      ...(options.accepted && { acceptedOutputModes: [...options.accepted] }),
      ...(options.historyLength !== undefined && { historyLength: options.historyLength }),
      ...(options.push !== undefined && {
        pushNotificationConfig: { url: options.push, token: 'secret-1' },
      }),
    },
    ...(options.options && { metadata: { options: options.options } }),
  })
  return {
    name: '0.3 JSONRPC',
    async send(part, options) {
      const result = await client.sendMessage(request(part, options))
      if (result.kind === 'message') throw new Error('a task was expected')
      return oldTask(result)
    },
    async *stream(part, options) {
      yield* oldEvents(client.sendMessageStream(request(part, options)))
    },
    get: async (id, historyLength) =>
      oldTask(await client.getTask({ id, ...(historyLength !== undefined && { historyLength }) })),
    cancel: async (id) => oldTask(await client.cancelTask({ id })),
    async *resubscribe(id) {
      yield* oldEvents(client.resubscribeTask({ id }))
    },
    setPush: async (taskId, address) => {
      const pushNotificationConfig = { url: address }
      const made = await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig })
      return made.pushNotificationConfig.id ?? ''
    },
    listPush: async (id) =>
      (await client.listTaskPushNotificationConfig({ id })).map(
        ({ pushNotificationConfig }) => pushNotificationConfig.url,
      ),
    // The client of 0.3 asks for the only one.
    getPush: async (id) =>
      (await client.getTaskPushNotificationConfig({ id })).pushNotificationConfig.url,
    deletePush: (id, pushNotificationConfigId) =>
      client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId }),
  }
}

export const PEERS: Readonly<Record<string, PeerMaker>> = {
  '1.0 over JSON-RPC': newPeer('JSONRPC'),
  '1.0 over HTTP+JSON': newPeer('HTTP+JSON'),
  '0.3 over JSON-RPC': oldPeer,
}

let count = 0

function newMessage(parts: readonly SentPart[], { task, context }: SentOptions): Message {
  return {
    messageId: `message-${++count}`,
    contextId: task?.context ?? context ?? '',
    taskId: task?.id ?? '',
    role: Role.ROLE_USER,
    parts: parts.map((part) => {
      const rest = { metadata: undefined, filename: '', mediaType: '' }
      if (typeof part === 'string') return { content: { $case: 'text', value: part }, ...rest }
      if ('data' in part) return { content: { $case: 'data', value: part.data }, ...rest }
      if ('url' in part) return { content: { $case: 'url', value: part.url }, ...rest }
      const { file, name: filename, mediaType } = part
      return {
        content: { $case: 'raw', value: Buffer.from(file) },
        metadata: undefined,
        filename,
        mediaType,
      }
    }),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

function oldMessage(parts: readonly SentPart[], { task, context }: SentOptions): OldMessage {
  const contextId = task?.context ?? context
  return {
    kind: 'message',
    messageId: `message-${++count}`,
    role: 'user',
    ...(contextId !== undefined && { contextId }),
    ...(task !== undefined && { taskId: task.id }),
    parts: parts.map((part) => {
      if (typeof part === 'string') return { kind: 'text', text: part }
      if ('data' in part) return { kind: 'data', data: { ...part.data } }
      if ('url' in part) return { kind: 'file', file: { uri: part.url } }
      const { file, name, mediaType: mimeType } = part
      return { kind: 'file', file: { bytes: Buffer.from(file).toString('base64'), name, mimeType } }
    }),
  }
}

const stateName = (state: Parameters<typeof taskStateToJSON>[0] | undefined): string =>
  state === undefined
    ? 'unknown'
    : taskStateToJSON(state).replace('TASK_STATE_', '').toLowerCase().replace('_', '-')

const newTexts = (parts: Message['parts'] = []): string =>
  parts
    .map(({ content }) =>
      content?.$case === 'text' || content?.$case === 'url' ? content.value : '',
    )
    .join('')

const newData = (parts: Message['parts'] = []): readonly unknown[] =>
  parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))

function newTask({ id, contextId, status, artifacts, history, metadata }: Task): ShownTask {
  return {
    id,
    context: contextId,
    state: stateName(status?.state),
    says: newTexts(status?.message?.parts),
    data: newData(status?.message?.parts),
    artifacts: Object.fromEntries(artifacts.map((one) => [one.artifactId, newTexts(one.parts)])),
    metadata,
    history: history.map(({ role }) => (role === Role.ROLE_USER ? 'user' : 'agent')),
  }
}

function newEvent({ payload }: StreamResponse): ShownEvent {
  switch (payload?.$case) {
    case 'task':
      return { type: 'task', task: newTask(payload.value) }
    case 'statusUpdate': {
      const { status, metadata } = payload.value
      return {
        type: 'status',
        state: stateName(status?.state),
        says: newTexts(status?.message?.parts),
        metadata,
      }
    }
    case 'artifactUpdate': {
      const { artifact, append, lastChunk } = payload.value
      const metadata = artifact?.parts[0]?.metadata
      return {
        type: 'artifact',
        id: artifact?.artifactId ?? '',
        text: newTexts(artifact?.parts),
        append,
        last: lastChunk,
        metadata,
      }
    }
    case 'message':
    case undefined:
      throw new Error('a message was not expected')
  }
}

const oldTexts = (parts: readonly OldPart[] = []): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      return part.kind === 'file' && 'uri' in part.file ? part.file.uri : ''
    })
    .join('')

const oldData = (parts: readonly OldPart[] = []): readonly unknown[] =>
  parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []))

function oldTask({
  id,
  contextId,
  status,
  artifacts = [],
  history = [],
  metadata,
}: OldTask): ShownTask {
  return {
    id,
    context: contextId,
    state: status.state,
    says: oldTexts(status.message?.parts),
    data: oldData(status.message?.parts),
    artifacts: Object.fromEntries(artifacts.map((one) => [one.artifactId, oldTexts(one.parts)])),
    metadata,
    history: history.map(({ role }) => role),
  }
}

type OldEvent =
  ReturnType<
    Awaited<ReturnType<OldClientFactory['createFromUrl']>>['sendMessageStream']
  > extends AsyncGenerator<infer Event>
    ? Event
    : never

async function* oldEvents(events: AsyncIterable<OldEvent>): AsyncGenerator<ShownEvent, void> {
  try {
    for await (const event of events) yield oldEvent(event)
  } catch (error) {
    // The client wraps the error of a stream.
    throw error instanceof Error && error.cause !== undefined ? error.cause : error
  }
}

function oldEvent(event: OldEvent): ShownEvent {
  switch (event.kind) {
    case 'task':
      return { type: 'task', task: oldTask(event) }
    case 'status-update': {
      const { status, metadata } = event
      return {
        type: 'status',
        state: status.state,
        says: oldTexts(status.message?.parts),
        metadata,
      }
    }
    case 'artifact-update': {
      const { artifact, append = false, lastChunk = false } = event
      const metadata = artifact.parts[0]?.metadata
      return {
        type: 'artifact',
        id: artifact.artifactId,
        text: oldTexts(artifact.parts),
        append,
        last: lastChunk,
        metadata,
      }
    }
    case 'message':
      throw new Error('a message was not expected')
  }
}

/** The texts of artifacts as a client has them that follows a stream. */
export function folded(events: readonly ShownEvent[]): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const event of events) {
    if (event.type === 'task') Object.assign(texts, event.task.artifacts)
    if (event.type !== 'artifact') continue
    texts[event.id] = (event.append ? (texts[event.id] ?? '') : '') + event.text
  }
  return texts
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
