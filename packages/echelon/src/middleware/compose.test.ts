import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { defineMiddleware } from '../core/extension/define-middleware.ts'
import type { Middleware, MiddlewareSpec } from '../core/extension/defined-middleware.ts'
import { Thread } from '../core/message/thread.ts'
import { failed, generated, modelCall, testRun } from '../testing/middleware-run.ts'
import { compose } from './compose.ts'
import { modelOf, modelThrough } from './in-tests.ts'
import { retry } from './reliability/retry.ts'

const middleware = (spec: MiddlewareSpec<string, undefined>): Middleware => defineMiddleware(spec)()

/** A middleware that writes down when each of its hooks begins and ends. */
const noting = (name: string, notes: string[]): Middleware => {
  const around = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    notes.push(`${name} >`)
    const given = await answer()
    notes.push(`< ${name}`)
    return given
  }
  return middleware({
    name,
    turn: (turn, next) => around(() => next(turn)),
    prompt: (prompt, next) => around(() => next(prompt)),
    generate: (call, next) => around(() => next(call)),
    permit: (request, next) => around(() => next(request)),
    tool: (call, next) => around(() => next(call)),
  })
}

test('[C-3] the first middleware is outermost in every hook, and a run’s own come after the agent’s', async () => {
  const notes: string[] = []
  const agents = [noting('one', notes), noting('two', notes)]
  const own = [noting('own', notes)]
  const { turn, prompt, generate, permit, tool } = compose([...agents, ...own])
  assert.ok(turn && prompt && generate && permit && tool)
  const run = testRun()
  const inside = <Value>(value: Value) => {
    return async (): Promise<Value> => {
      notes.push('inside')
      return value
    }
  }
  const nothing = { head: [], thread: Thread.of([]), tail: [] }
  const end = { status: 'finished', reason: 'done', text: '' } as const
  const hooks = [
    () => turn({ messages: [], history: nothing.thread }, inside(end), run),
    () => prompt(nothing, inside(nothing), run),
    () => generate(modelCall(), inside(generated('yes')), run),
    () => permit({ type: 'offer', tool: 'add' }, inside({ type: 'allow' } as const), run),
    () => tool({ id: '1', tool: 'add', input: {} }, inside({ type: 'ok', value: 1 } as const), run),
  ]
  for (const call of hooks) {
    notes.length = 0
    await call()
    assert.deepEqual(notes, ['one >', 'two >', 'own >', 'inside', '< own', '< two', '< one'])
  }
})

test('[C-3] a hook that no middleware implements is absent and costs nothing', () => {
  const none = compose([])
  for (const hook of ['turn', 'prompt', 'generate', 'permit', 'tool'] as const) {
    assert.equal(Object.hasOwn(none, hook), false, hook)
  }
  assert.deepEqual([none.streams, none.slots, [...none.replaces]], [[], [], []])
  const one = compose([middleware({ name: 'one', tool: (call, next) => next(call) })])
  assert.ok(one.tool !== undefined)
  assert.equal(Object.hasOwn(one, 'generate'), false)
})

test('[C-3] a chain is composed once and takes its inner function with each call', async () => {
  const through = compose([noting('one', []), noting('two', [])]).generate
  assert.ok(through !== undefined)
  const run = testRun()
  for (const model of ['openai/a', 'anthropic/b']) {
    const outcome = await through(modelCall(), modelOf(generated('yes', { model })), run)
    assert.equal(outcome.type === 'generated' && outcome.model, model)
  }
})

test('text transforms keep their order, one instance for each answer', () => {
  const shout = middleware({
    name: 'shout',
    stream: () => ({ text: (delta) => delta.toUpperCase() }),
  })
  const mark = middleware({ name: 'mark', stream: () => ({ text: (delta) => `${delta}!` }) })
  const { streams } = compose([shout, mark])
  const run = testRun()
  assert.equal(
    streams.map((open) => open(run)).reduce((text, one) => one.text(text), 'a'),
    'A!',
  )
  assert.notEqual(streams[0]?.(run), streams[0]?.(run))
})

test('the pipeline lists what its middleware replaces', () => {
  const replacing = middleware({ name: 'patient', replaces: ['retry'] })
  assert.deepEqual([...compose([middleware({ name: 'other' }), replacing]).replaces], ['retry'])
})

const counting = (namespace: string): Middleware =>
  defineMiddleware({
    name: 'counter',
    namespace,
    state: { version: 1, schema: z.object({ count: z.number() }), initial: { count: 0 } },
  })()

test('refuses two states under one key and says what to do', () => {
  assert.throws(() => compose([counting('app'), counting('app')]), {
    code: 'INVALID_DEFINITION',
    message: /two middlewares keep a state under the key app\/counter; leave one out/,
  })
  const single = compose([counting('app'), middleware({ name: 'counter' })])
  assert.deepEqual(
    single.slots.map(({ key }) => key),
    ['app/counter'],
  )
})

test('[C-28] states with the same name in different namespaces coexist', () => {
  assert.deepEqual(
    compose([counting('app'), counting('other')]).slots.map(({ key }) => key),
    ['app/counter', 'other/counter'],
  )
})

test('[C-21] refuses two that replace the retry: attempts would multiply', () => {
  assert.throws(() => compose([retry({ retries: 1 }), middleware({ name: 'one' }), retry()]), {
    code: 'INVALID_DEFINITION',
    message: /two middlewares echelon\/retry.* leave one out/,
  })
})

test('only generate may call next more than once', async () => {
  const again = middleware({
    name: 'again',
    async generate(call, next) {
      const first = await next(call)
      return first.type === 'failed' ? next(call) : first
    },
    async permit(request, next) {
      await next(request)
      return next(request)
    },
  })
  const model = modelOf(failed('unavailable'), generated('yes'))
  const outcome = await modelThrough([again], model)(modelCall(), testRun())
  assert.equal(outcome.type, 'generated')
  assert.equal(model.asked.length, 2)
  const { permit } = compose([again])
  assert.ok(permit !== undefined)
  const asked = permit({ type: 'offer', tool: 'add' }, async () => ({ type: 'allow' }), testRun())
  await assert.rejects(asked, { code: 'INVALID_DEFINITION', message: /a second time/ })
})
