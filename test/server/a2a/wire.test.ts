import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { type A2aServed, a2aServing, offlineDecider, scriptedChat, sendTool } from './a2a-served.ts'

const ANSWER = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).nullable(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
  result: z.unknown().optional(),
})

interface Asked {
  readonly agent?: string
  readonly version?: string
  readonly user?: string
}

const headersOf = ({ version = '1.0', user = 'ann' }: Asked): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: `Bearer ${user}`,
  ...(version !== '' && { 'a2a-version': version }),
})

async function rpc(
  { url }: A2aServed,
  method: string,
  params: unknown,
  asked: Asked = {},
): Promise<z.infer<typeof ANSWER>> {
  const response = await fetch(`${url}/a2a/${asked.agent ?? 'chat'}`, {
    method: 'POST',
    headers: headersOf(asked),
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  })
  assert.equal(response.status, 200)
  return ANSWER.parse(await response.json())
}

const message = (text: string, more: object = {}): object => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
})

const legacyMessage = (text: string, more: object = {}): object => ({
  message: {
    kind: 'message',
    messageId: 'm',
    role: 'user',
    parts: [{ kind: 'text', text }],
    ...more,
  },
})

const TASK = z.object({
  id: z.string(),
  contextId: z.string(),
  status: z.object({ state: z.string() }),
})
const SENT = z.object({ task: TASK })

const served = (t: Parameters<typeof a2aServing>[0], runsAtOnce = 256): Promise<A2aServed> =>
  a2aServing(
    t,
    async (store) => [
      scriptedChat(store, ['Hello.', { text: ['Slow', 'ly.'], betweenMs: 500 }], {
        tools: [sendTool()],
      }),
      await offlineDecider(store),
    ],
    { runsAtOnce },
  )

describe('[DD-19] errors of A2A', () => {
  test('have the codes of the specification', async (t) => {
    const it = await served(t)
    const { result } = await rpc(it, 'SendMessage', message('hi'))
    const { task } = SENT.parse(result)
    const codes: readonly (readonly [string, unknown, number])[] = [
      ['GetTask', { id: 'none' }, -32001],
      ['CancelTask', { id: 'none' }, -32001],
      ['CancelTask', { id: task.id }, -32002],
      ['SubscribeToTask', { id: task.id }, -32004],
      ['SendMessage', message('more', { taskId: task.id }), -32004],
      ['SendMessage', message('', { parts: [{ raw: 'QQ==', mediaType: 'image/png' }] }), -32005],
      ['SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [] } }, -32602],
      [
        'SendMessage',
        { message: { messageId: '', role: 'ROLE_USER', parts: [{ text: 'a' }] } },
        -32602,
      ],
      ['SendMessage', message('as an agent', { role: 'ROLE_AGENT' }), -32602],
      ['SendMessage', {}, -32602],
      ['GetTask', { id: '' }, -32602],
      ['GetTask', { id: task.id, historyLength: -1 }, -32602],
      ['ListTasks', { pageSize: 0 }, -32602],
      ['ListTasks', { pageSize: 101 }, -32602],
      ['ListTasks', { pageToken: 'none' }, -32602],
      ['ListTasks', { statusTimestampAfter: 'yesterday' }, -32602],
      ['NoSuchMethod', {}, -32601],
    ]
    for (const [method, params, code] of codes) {
      const agent = code === -32005 ? 'decide' : 'chat'
      const { error, id } = await rpc(it, method, params, { agent })
      assert.deepEqual([method, error?.code, id], [method, code, 7], error?.message)
    }
    const { error } = await rpc(it, 'GetTask', { id: 'none' })
    assert.partialDeepStrictEqual(error?.data, [
      { reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
    ])
    assert.equal(
      (await rpc(it, 'GetTask', { id: task.id }, { version: '2.0' })).error?.code,
      -32009,
    )
  })

  test('are the same for a client of 0.3', async (t) => {
    const it = await served(t)
    const old = { version: '' }
    const { result } = await rpc(it, 'message/send', legacyMessage('hi'), old)
    const { id } = TASK.parse(result)
    const codes: readonly (readonly [string, unknown, number])[] = [
      ['tasks/get', { id: 'none' }, -32001],
      ['tasks/cancel', { id }, -32002],
      ['message/send', legacyMessage('more', { taskId: id }), -32004],
      [
        'message/send',
        { message: { kind: 'message', messageId: 'm', role: 'user', parts: [] } },
        -32602,
      ],
      ['message/send', {}, -32602],
      ['SendMessage', message('hi'), -32601],
    ]
    for (const [method, params, code] of codes) {
      assert.equal((await rpc(it, method, params, old)).error?.code, code, method)
    }
  })

  test('have the statuses of HTTP+JSON', async (t) => {
    const { url } = await served(t)
    const headers = headersOf({})
    const base = `${url}/a2a/decide`
    const post = (path: string, body: unknown) =>
      fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const file = message('', { parts: [{ raw: 'QQ==' }] })
    const found = [
      await fetch(`${base}/tasks/none`, { headers }),
      await post('/message:send', file),
      await post('/message:send', { message: 1 }),
      await fetch(`${base}/message:send`, { method: 'POST', headers, body: '{' }),
      await fetch(`${base}/tasks?pageSize=x`, { headers }),
      await fetch(`${base}/nowhere`, { headers }),
      await fetch(`${url}/a2a/nobody/tasks`, { headers }),
    ]
    assert.deepEqual(
      found.map(({ status }) => status),
      [404, 400, 400, 400, 400, 404, 404],
    )
    assert.match(found[0]?.headers.get('content-type') ?? '', /application\/a2a\+json/)
    assert.partialDeepStrictEqual(await found[0]?.json(), {
      error: { code: 404, status: 'NOT_FOUND', details: [{ reason: 'TASK_NOT_FOUND' }] },
    })
  })

  test('of our own lie within the range that is left to servers', async (t) => {
    const it = await served(t, 0)
    const { error } = await rpc(it, 'SendMessage', message('hi'))
    assert.equal(error?.code, -32080)
    assert.match(error.message, /too many runs/)
    const response = await fetch(`${it.url}/a2a/chat/message:send`, {
      method: 'POST',
      headers: headersOf({}),
      body: JSON.stringify(message('hi')),
    })
    assert.equal(response.status, 429)
  })

  test('of a request without a known token are in the form of the transport', async (t) => {
    const { url } = await served(t)
    const headers = headersOf({ user: 'nobody' })
    const response = await fetch(`${url}/a2a/chat`, { method: 'POST', headers, body: '{}' })
    assert.equal(response.status, 401)
    assert.equal(ANSWER.parse(await response.json()).error?.code, -32085)
    const listed = await fetch(`${url}/a2a/chat/tasks`, { headers })
    assert.partialDeepStrictEqual(await listed.json(), { error: { code: 401 } })
  })

  test('recognizes a body that is not a request', async (t) => {
    const { url } = await served(t)
    const codeOf = async (body: string, type = 'application/json'): Promise<number | undefined> => {
      const headers = { ...headersOf({}), 'content-type': type }
      const response = await fetch(`${url}/a2a/chat`, { method: 'POST', headers, body })
      return ANSWER.parse(await response.json()).error?.code
    }
    assert.equal(await codeOf('{"jsonrpc"'), -32700)
    assert.equal(await codeOf('[]'), -32600)
    assert.equal(await codeOf('{"id":1,"method":"GetTask"}'), -32600)
    assert.equal(await codeOf('{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}'), -32602)
    assert.equal(await codeOf('{}', 'application/xml'), -32005)
  })
})

describe('[DD-19] cards', () => {
  test('tell each version what it can read, without a token', async (t) => {
    const { url } = await served(t)
    const cardAt = async (path: string, version?: string): Promise<unknown> =>
      (await fetch(url + path, { headers: { ...(version && { 'a2a-version': version }) } })).json()
    const path = '/a2a/decide/.well-known/agent-card.json'
    const address = `${url}/a2a/decide`
    const card = await cardAt(path, '1.0')
    assert.partialDeepStrictEqual(card, {
      name: 'decide',
      supportedInterfaces: [
        { url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: address, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: address, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    })
    assert.partialDeepStrictEqual(await cardAt(path), {
      name: 'decide',
      protocolVersion: '0.3',
      url: address,
      preferredTransport: 'JSONRPC',
      supportsAuthenticatedExtendedCard: true,
    })
    assert.partialDeepStrictEqual(await cardAt('/.well-known/agent-card.json'), { name: 'chat' })
    assert.ok(!JSON.stringify(card).includes('calculator'))
  })

  test('tell users of an agent its tools', async (t) => {
    const it = await served(t)
    const { result } = await rpc(it, 'GetExtendedAgentCard', {}, { agent: 'decide' })
    assert.partialDeepStrictEqual(result, { skills: [{ id: 'decide' }, { id: 'tool:calculator' }] })
    const { result: old } = await rpc(it, 'agent/getAuthenticatedExtendedCard', undefined, {
      agent: 'decide',
      version: '0.3',
    })
    assert.partialDeepStrictEqual(old, { skills: [{ id: 'decide' }, { id: 'tool:calculator' }] })
  })
})

const LIST = z.object({
  tasks: z.array(z.object({ id: z.string(), contextId: z.string() })),
  nextPageToken: z.string(),
  totalSize: z.number(),
})

describe('[DD-19] the list of tasks', () => {
  test('is in pages, the newest first, by context and state, and only the own', async (t) => {
    const it = await a2aServing(t, async (store) => [await offlineDecider(store)])
    const agent = { agent: 'decide' }
    const ids: string[] = []
    for (const contextId of ['a', 'b', 'a']) {
      const { result } = await rpc(
        it,
        'SendMessage',
        message('What is 2 + 2?', { contextId }),
        agent,
      )
      ids.unshift(SENT.parse(result).task.id)
    }
    const listed = async (params: object, asked: Asked = agent): Promise<z.infer<typeof LIST>> =>
      LIST.parse((await rpc(it, 'ListTasks', params, asked)).result)
    const all = await listed({})
    assert.deepEqual(
      all.tasks.map(({ id }) => id),
      ids,
    )
    const first = await listed({ pageSize: 2 })
    assert.deepEqual([first.tasks.length, first.totalSize], [2, 3])
    const second = await listed({ pageSize: 2, pageToken: first.nextPageToken })
    assert.deepEqual([second.tasks[0]?.id, second.nextPageToken], [ids[2], ''])
    assert.equal((await listed({ contextId: 'a' })).totalSize, 2)
    assert.equal((await listed({ status: 'TASK_STATE_COMPLETED' })).totalSize, 3)
    assert.equal((await listed({ status: 'TASK_STATE_WORKING' })).totalSize, 0)
    assert.equal((await listed({}, { ...agent, user: 'bob' })).totalSize, 0)
    const { url } = it
    const response = await fetch(`${url}/a2a/decide/tasks?pageSize=1&includeArtifacts=true`, {
      headers: headersOf({}),
    })
    assert.match(JSON.stringify(await response.json()), /"artifactId":"answer"/)
  })
})
