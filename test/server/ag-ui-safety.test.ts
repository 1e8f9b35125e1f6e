import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventType } from '@ag-ui/core'
import { createServer, hashToken } from '@echelon/server'
import { openStore } from '@echelon/store'
import { defineTool, type Tool } from 'echelon'
import * as fc from 'fast-check'
import { IS_WHOLE } from '../share.ts'
import { eventIn } from './ag-ui-oracle.ts'
import { scripted, serving } from './served.ts'

const EMPTY = { type: 'object', properties: {} } as const

const acting: Tool = defineTool({
  name: 'act',
  description: 'Acts.',
  input: EMPTY,
  does: 'acts',
  needsApproval: true,
  run: async () => 'acted',
})

const body = (given: object) =>
  JSON.stringify({
    threadId: 't',
    runId: 'r',
    messages: [{ id: '1', role: 'user', content: 'go' }],
    tools: [],
    context: [],
    ...given,
  })

test('threads, runs and interrupts of one user are unknown to another', async (t) => {
  const { url } = await serving(
    t,
    (store) => [
      scripted(
        store,
        [
          { toolCalls: [{ tool: 'act', input: {} }] },
          ({ prompt }) => (JSON.stringify(prompt).includes('go') ? 'mine' : 'hers'),
          'Done.',
        ],
        { tools: [acting] },
      ),
    ],
    {
      tokens: [
        { name: 'ada', sha256: hashToken('a'.repeat(40)) },
        { name: 'bob', sha256: hashToken('b'.repeat(40)) },
      ],
    },
  )
  const post = (user: 'a' | 'b', given: object) =>
    fetch(`${url}/ag-ui/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.repeat(40)}` },
      body: body(given),
    })
  const asked = await (await post('a', {})).text()
  const [, interruptId = ''] = /"interrupts":\[\{"id":"([^"]+)"/.exec(asked) ?? []
  assert.notEqual(interruptId, '')
  const resume = [{ interruptId, status: 'resolved', payload: 'once' }]
  const stolen = await post('b', { runId: 'r2', resume })
  const unknown = await post('b', {
    runId: 'r3',
    resume: [{ ...resume[0], interruptId: 'no:0.0' }],
  })
  assert.deepEqual([stolen.status, unknown.status], [404, 404])
  // The same names are another thread and another run for another user.
  const own = await (
    await post('b', { messages: [{ id: '1', role: 'user', content: 'hello' }] })
  ).text()
  assert.match(own, /hers/)
  assert.doesNotMatch(own, /TOOL_CALL/)
  const answered = await (await post('a', { runId: 'r4', resume })).text()
  assert.match(answered, /Done\./)
})

test('an interrupt is answered only in its own thread', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [{ toolCalls: [{ tool: 'act', input: {} }] }, 'Done.'], { tools: [acting] }),
  ])
  const post = (given: object) => fetch(`${url}/ag-ui/chat`, { method: 'POST', body: body(given) })
  const asked = await (await post({})).text()
  const [, interruptId = ''] = /"interrupts":\[\{"id":"([^"]+)"/.exec(asked) ?? []
  const resume = [{ interruptId, status: 'resolved', payload: 'once' }]
  assert.equal((await post({ threadId: 'other', runId: 'r2', resume })).status, 404)
  const without = await post({
    runId: 'r3',
    messages: [{ id: '2', role: 'user', content: 'and?' }],
  })
  assert.equal(without.status, 409)
  const wrong = await post({ runId: 'r4', resume: [{ ...resume[0], payload: 'perhaps' }] })
  assert.equal(wrong.status, 400)
  assert.match(await (await post({ runId: 'r5', resume })).text(), /Done\./)
})

const anything = fc.jsonValue({ maxDepth: 4 })
const message = fc.record(
  {
    id: fc.oneof(fc.string(), anything),
    role: fc.oneof(
      fc.constantFrom('user', 'assistant', 'tool', 'system', 'developer', 'activity', 'reasoning'),
      anything,
    ),
    content: fc.oneof(
      fc.string(),
      fc.array(
        fc.record(
          {
            type: fc.constantFrom('text', 'image', 'document', 'binary', 'x'),
            text: fc.string(),
            source: fc.record(
              {
                type: fc.constantFrom('data', 'url', 'x'),
                value: fc.string(),
                mimeType: fc.string(),
              },
              { requiredKeys: [] },
            ),
            mimeType: fc.string(),
            data: fc.string(),
          },
          { requiredKeys: ['type'] },
        ),
      ),
      anything,
    ),
    toolCallId: fc.oneof(fc.string(), anything),
    toolCalls: anything,
    error: anything,
  },
  { requiredKeys: ['id', 'role', 'content'] },
)
const request = fc.oneof(
  anything,
  fc.record(
    {
      threadId: fc.oneof({ weight: 5, arbitrary: fc.string({ minLength: 1 }) }, anything),
      runId: fc.oneof({ weight: 5, arbitrary: fc.string({ minLength: 1 }) }, anything),
      protocolVersion: fc.oneof(fc.constantFrom('1.0', '0.9', '', 'x'), anything),
      messages: fc.oneof({ weight: 5, arbitrary: fc.array(message, { maxLength: 4 }) }, anything),
      tools: fc.oneof(
        fc.array(fc.record({ name: fc.string(), description: fc.string(), parameters: anything })),
        anything,
      ),
      context: fc.oneof(fc.constant([]), anything),
      state: anything,
      forwardedProps: fc.oneof(fc.record({ echelon: anything }), anything),
      resume: fc.oneof(
        fc.array(
          fc.record({
            interruptId: fc.string(),
            status: fc.constantFrom('resolved', 'cancelled', 'x'),
            payload: anything,
          }),
        ),
        anything,
      ),
    },
    { requiredKeys: ['threadId', 'runId', 'messages'] },
  ),
)

/** Nearly what a client sends. */
const almost = fc.record(
  {
    threadId: fc.string({ minLength: 1 }),
    runId: fc.string({ minLength: 1 }),
    messages: fc
      .array(
        fc.record({
          id: fc.string({ minLength: 1 }),
          role: fc.constantFrom('user', 'assistant', 'system', 'developer'),
          content: fc.string(),
        }),
        { maxLength: 4 },
      )
      .map((messages) => [...messages, { id: 'last', role: 'user', content: 'go' }]),
    tools: fc.array(
      fc.record({
        name: fc.string({ minLength: 1 }),
        description: fc.string(),
        parameters: fc.oneof(fc.constant({ type: 'object', properties: {} }), anything),
      }),
      { maxLength: 3 },
    ),
    context: fc.array(fc.record({ description: fc.string(), value: fc.string() })),
    state: anything,
    forwardedProps: fc.record({ echelon: fc.record({ options: anything, output: anything }) }),
  },
  { requiredKeys: ['threadId', 'runId', 'messages'] },
)

const RUNS = IS_WHOLE ? 10_000 : 100

test(
  'no body makes the server fail or hang',
  { timeout: IS_WHOLE ? 900_000 : 60_000 },
  async (t) => {
    const { url } = await serving(t, (store) => [
      scripted(
        store,
        Array.from({ length: RUNS }, () => 'ok'),
      ),
    ])
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(fc.oneof(almost, request, fc.string()), async (given) => {
        const response = await fetch(`${url}/ag-ui/chat`, {
          method: 'POST',
          body: typeof given === 'string' ? given : JSON.stringify(given),
          signal: AbortSignal.timeout(10_000),
        })
        const text = await response.text()
        assert.ok(response.status < 500, `${response.status}: ${text}`)
        assert.doesNotMatch(text, /internal_error|at .*\.ts:\d/)
        if (response.status === 200) assert.match(text, /RUN_FINISHED|RUN_ERROR/)
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }),
      { numRuns: RUNS },
    )
    assert.ok((statuses.get(200) ?? 0) > 0 && (statuses.get(400) ?? 0) > 0)
  },
)

test('an interrupt is answered after a restart of the server', async (t) => {
  const store = await openStore(':memory:')
  t.after(() => store.close())
  const call = { toolCalls: [{ tool: 'act', input: {} }] }
  const first = createServer({ agents: [scripted(store, [call], { tools: [acting] })], store })
  const post = (url: string, given: object) =>
    fetch(`${url}/ag-ui/chat`, {
      method: 'POST',
      body: body({ protocolVersion: '1.0', ...given }),
      signal: AbortSignal.timeout(10_000),
    })
  const asked = await (await post(await first.listen({ port: 0 }), {})).text()
  const [, interruptId = ''] = /"interrupts":\[\{"id":"([^"]+)"/.exec(asked) ?? []
  await first.stop()
  const second = createServer({ agents: [scripted(store, ['Done.'], { tools: [acting] })], store })
  t.after(() => second.stop())
  const resume = [{ interruptId, status: 'resolved', payload: true }]
  const answered = await (
    await post(await second.listen({ port: 0 }), { runId: 'r2', resume })
  ).text()
  assert.match(answered, /acted/)
  assert.match(answered, /"delta":"Done\."/)
  const events = [...answered.matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
    eventIn(JSON.parse(data)),
  )
  assert.equal(events.at(-1)?.type, EventType.RUN_FINISHED)
})
