import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineMiddleware } from '../core/extension/define-middleware.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { Prompt } from '../core/extension/middleware.ts'
import type { PermitRequest } from '../core/agent/permission.ts'
import { systemMessage, Thread, userMessage } from '../core/message/thread.ts'
import { testRun } from '../testing/middleware-run.ts'
import { compose } from './compose.ts'
import { toolThrough } from './in-tests.ts'

/** A filter of turns: reads what comes in, and changes what goes out. */
const signed: Middleware = defineMiddleware({
  name: 'signed',
  async turn(turn, next, context) {
    context.emit('turn', { said: turn.messages.length })
    const asked = { ...turn, messages: [userMessage('Please.'), ...turn.messages] }
    const end = await next(asked)
    return { ...end, text: `${end.text} — Echelon` }
  },
})()

/** A filter of prompts: adds before and after the conversation, which stays as it is. */
const dated: Middleware = defineMiddleware({
  name: 'dated',
  prompt: (prompt, next) =>
    next({
      ...prompt,
      head: [...prompt.head, systemMessage('Today is Monday.')],
      tail: [...prompt.tail, userMessage('Answer in one word.')],
    }),
})()

/** A filter of permissions: rules by tool and by its arguments; others decide the rest. */
const careful: Middleware = defineMiddleware({
  name: 'careful',
  async permit(request, next) {
    if (request.type !== 'call') return next(request)
    if (request.call.tool === 'delete') return { type: 'deny', reason: 'nothing is deleted here' }
    if (request.call.tool === 'pay') return { type: 'ask', why: 'this spends money' }
    return next(request)
  },
})()

/** A filter of tools: changes what goes in, and hides a part of what comes out. */
const discreet: Middleware = defineMiddleware({
  name: 'discreet',
  async tool(call, next) {
    const outcome = await next({ ...call, input: { ...Object(call.input), language: 'en' } })
    return outcome.type === 'ok' && typeof outcome.value === 'string'
      ? { ...outcome, value: outcome.value.replace(/\d/g, '#') }
      : outcome
  },
})()

test('[C-14] a turn filter changes the user message and the answer', async () => {
  const { turn } = compose([signed])
  assert.ok(turn !== undefined)
  const run = testRun()
  const asked = { messages: [userMessage('hello')], history: Thread.of([]) }
  const end = await turn(
    asked,
    async ({ messages }) => ({ status: 'finished', reason: 'done', text: `${messages.length}` }),
    run,
  )
  assert.deepEqual(end, { status: 'finished', reason: 'done', text: '2 — Echelon' })
  assert.deepEqual(run.told, [{ middleware: 'signed', event: 'turn', data: { said: 1 } }])
})

test('[C-14] a prompt filter adds messages without changing the conversation', async () => {
  const { prompt } = compose([dated])
  assert.ok(prompt !== undefined)
  const thread = Thread.of([userMessage('hello')])
  const given: Prompt = { head: [systemMessage('Be kind.')], thread, tail: [] }
  const sent = await prompt(given, async (prompt) => prompt, testRun())
  assert.deepEqual(
    sent.head.map(({ content }) => content),
    ['Be kind.', 'Today is Monday.'],
  )
  assert.equal(sent.thread, thread)
  assert.equal(thread.length, 1)
  assert.equal(sent.tail.length, 1)
})

test('[C-14] a permission filter denies, asks, or passes on to the next', async () => {
  const { permit } = compose([careful])
  assert.ok(permit !== undefined)
  const run = testRun()
  const verdict = async (request: PermitRequest): Promise<string> =>
    (await permit(request, async () => ({ type: 'allow' }), run)).type
  const call = (tool: string): PermitRequest => ({
    type: 'call',
    call: { id: '1', tool, input: {} },
  })
  assert.equal(await verdict(call('delete')), 'deny')
  assert.equal(await verdict(call('pay')), 'ask')
  assert.equal(await verdict(call('read')), 'allow')
  assert.equal(await verdict({ type: 'turn', agent: 'chat' }), 'allow')
  assert.equal(await verdict({ type: 'offer', tool: 'delete' }), 'allow')
})

test('[C-14] a tool filter changes the input and the result of a tool', async () => {
  const read = toolThrough([discreet], async ({ input }) => ({
    type: 'ok',
    value: `${JSON.stringify(input)} 0815`,
  }))
  const outcome = await read({ id: '1', tool: 'read', input: { page: 1 } }, testRun())
  assert.deepEqual(outcome, { type: 'ok', value: '{"page":#,"language":"en"} ####' })
})
