import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { IS_WHOLE, SEED } from '../../share.ts'
import { a2aServing, offlineDecider, scriptedChat } from './a2a-served.ts'

const RUNS = IS_WHOLE ? 10_000 : 120

const METHODS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
]

/** Values that are almost right, and all others. */
const almost = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('', '\u0000', '../..', '__proto__'),
)
const part = fc.record(
  {
    kind: fc.constantFrom('text', 'file', 'data', 'none'),
    text: almost(text),
    raw: almost(fc.base64String()),
    url: almost(fc.constantFrom('http://127.0.0.1:1/', 'file:///etc/passwd', 'x')),
    data: almost(fc.jsonValue({ maxDepth: 2 })),
    file: almost(fc.record({ bytes: almost(text), uri: almost(text) }, { requiredKeys: [] })),
    metadata: almost(fc.constant({})),
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    kind: fc.constant('message'),
    messageId: almost(text),
    contextId: almost(text),
    taskId: almost(text),
    role: almost(fc.constantFrom('ROLE_USER', 'user', 'agent', 1, 2)),
    parts: almost(fc.array(almost(part), { maxLength: 3 })),
    metadata: almost(fc.record({ options: almost(fc.constant({ mode: 1 })) })),
    extensions: almost(fc.array(text, { maxLength: 2 })),
    referenceTaskIds: almost(fc.array(text, { maxLength: 2 })),
  },
  { requiredKeys: [] },
)
const push = fc.record(
  {
    id: almost(text),
    url: almost(fc.constantFrom('http://10.0.0.1/', 'x')),
    token: almost(text),
    authentication: almost(fc.constant({ schemes: 1, scheme: 'a' })),
  },
  { requiredKeys: [] },
)
const params = almost(
  fc.record(
    {
      message: almost(message),
      configuration: almost(
        fc.record(
          {
            blocking: almost(fc.boolean()),
            returnImmediately: almost(fc.boolean()),
            acceptedOutputModes: almost(fc.array(text, { maxLength: 2 })),
            historyLength: almost(fc.integer()),
            taskPushNotificationConfig: almost(push),
            pushNotificationConfig: almost(push),
          },
          { requiredKeys: [] },
        ),
      ),
      id: almost(text),
      taskId: almost(text),
      tenant: almost(text),
      pushNotificationConfig: almost(push),
      url: almost(text),
      pageSize: almost(fc.integer()),
      pageToken: almost(text),
      status: almost(fc.constantFrom('TASK_STATE_WORKING', 3, 99)),
      statusTimestampAfter: almost(text),
      historyLength: almost(fc.integer()),
    },
    { requiredKeys: [] },
  ),
)
const request = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', 2),
    id: almost(fc.oneof(fc.integer(), text)),
    method: almost(fc.constantFrom(...METHODS)),
    params,
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  { weight: 8, arbitrary: request.map((one) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...one })) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
)

describe('[DD-19] any body', () => {
  test('is answered, never with a fault of the server and never without an end', async (t) => {
    const { url, log } = await a2aServing(
      t,
      async (store) => [
        scriptedChat(
          store,
          Array.from({ length: RUNS }, () => 'Hello.'),
        ),
        await offlineDecider(store),
      ],
      { allowPrivate: false },
    )
    const paths = [
      '/a2a/chat',
      '/a2a/chat/message:send',
      '/a2a/chat/message:stream',
      '/a2a/decide',
      '/a2a/chat/tasks/x/pushNotificationConfigs',
      '/a2a/decide/message:send',
      '/a2a/chat/tasks/x:cancel',
    ]
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(...paths),
        fc.constantFrom('1.0', '0.3', ''),
        async (sent, path, version) => {
          const isRest = path.includes(':') || path.includes('tasks')
          const response = await fetch(url + path, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(version && { 'a2a-version': version }),
            },
            body: isRest ? restBody(sent) : sent,
            signal: AbortSignal.timeout(20_000),
          })
          const answer = await response.text()
          assert.ok(response.status < 500, `${response.status} ${answer} for ${sent}`)
          assert.ok(!answer.includes('-32603'), `${answer} for ${sent}`)
          assert.doesNotMatch(answer, /\bat .*\.[jt]s:\d+|Cannot read|is not a function/)
        },
      ),
      { numRuns: RUNS, seed: SEED },
    )
    assert.deepEqual(log, [])
  })
})

/** Builds the body for HTTP+JSON: the parameters of a request, or the body as it is. */
function restBody(sent: string): string {
  try {
    const value: unknown = JSON.parse(sent)
    const isRequest = typeof value === 'object' && value !== null && 'params' in value
    return isRequest ? JSON.stringify(value.params) : sent
  } catch {
    return sent
  }
}
