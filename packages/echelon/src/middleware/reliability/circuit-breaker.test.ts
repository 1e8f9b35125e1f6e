import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../core/value/json.ts'
import { MOST_STATE_BYTES } from '../../core/state/state.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'
import { type TestRun, testRun } from '../../testing/middleware-run.ts'
import { circuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts'
import { toolThrough } from '../in-tests.ts'

/** A tool behind a breaker, with a count of the calls that reached it. */
function broken(options: CircuitBreakerOptions = {}, testedRun: TestRun = testRun()) {
  const reached: string[] = []
  const middleware = circuitBreaker(options)
  const through = toolThrough([middleware], async ({ tool }) => {
    reached.push(tool)
    return { type: 'ok', value: null }
  })
  const call = (input: Json, tool = 'search'): Promise<ToolOutcome> =>
    through({ id: `${reached.length}`, tool, input }, testedRun)
  return { call, testedRun, reached, middleware }
}

test('[C-30] a call above the limit with the same arguments is not made', async () => {
  const { call, testedRun, reached } = broken()
  for (let time = 0; time < 3; time++) assert.equal((await call({ q: 'a' })).type, 'ok')
  for (let time = 0; time < 2; time++) {
    const outcome = await call({ q: 'a' })
    assert.ok(outcome.type === 'error')
    assert.equal(outcome.code, 'TOOL_ERROR')
    assert.match(outcome.message, /^search was not called: it was called 3 times in a row/)
    assert.match(outcome.message, /use what it answered, call it with others, or answer without it/)
  }
  assert.equal(reached.length, 3)
  const trip = { middleware: 'circuitBreaker', event: 'trip', data: { tool: 'search', count: 3 } }
  assert.deepEqual(testedRun.told, [trip, trip])
})

test('[C-30] other arguments close the circuit; the order of fields does not matter', async () => {
  const { call, reached } = broken({ limit: 2 })
  await call({ q: 'a', n: 1 })
  await call({ n: 1, q: 'a' })
  assert.equal((await call({ q: 'a', n: 1 })).type, 'error')
  assert.equal((await call({ q: 'b', n: 1 })).type, 'ok')
  assert.equal((await call({ q: 'a', n: 1 })).type, 'ok')
  assert.equal(reached.length, 4)
})

test('[C-30] each tool is counted separately, calls of one batch included', async () => {
  const { call } = broken({ limit: 2 })
  const batch = ['search', 'read', 'search', 'read', 'search'].map((tool) => call({}, tool))
  const outcomes = await Promise.all(batch)
  assert.deepEqual(
    outcomes.map(({ type }) => type),
    ['ok', 'ok', 'ok', 'ok', 'error'],
  )
})

test('[C-30] the count continues with the session, in another run and after a restart', async () => {
  const first = broken({ limit: 2 })
  await first.call({})
  await first.call({})
  const saved = first.testedRun.record()
  assert.deepEqual(Object.keys(saved), ['echelon/circuitBreaker'])
  const later = broken({ limit: 2 }, testRun({ runId: 'run-2', saved }))
  assert.equal((await later.call({})).type, 'error')
  const resumed = broken({ limit: 2, within: 'run' }, testRun({ saved }))
  assert.equal((await resumed.call({})).type, 'error')
  const ofRun = broken({ limit: 2, within: 'run' }, testRun({ runId: 'run-2', saved }))
  assert.equal((await ofRun.call({})).type, 'ok')
})

test('its state stays small for any tools and arguments', async () => {
  const { call, testedRun, middleware } = broken({ limit: Number.MAX_SAFE_INTEGER })
  const names = ['__proto__', 'ü'.repeat(70), '"'.repeat(64), 'x'.repeat(1000)]
  for (let n = 0; n < 100; n++) names.push(`${n}`.padStart(64, 'tool'))
  for (const name of names) await call({ name }, name)
  await call({}, names.at(-1))
  const state = testedRun.record()['echelon/circuitBreaker']
  assert.ok(Buffer.byteLength(JSON.stringify(state)) <= MOST_STATE_BYTES)
  assert.equal(Object.keys(middleware.read?.(testedRun).tools ?? {}).length, 30)
  const again = broken({ limit: 1 })
  for (const name of names.slice(0, 4)) {
    assert.equal((await again.call({}, name)).type, 'ok', name)
    assert.equal((await again.call({}, name)).type, 'error', name)
  }
})

test('rejects a limit below one', () => {
  assert.throws(() => circuitBreaker({ limit: 0 }), {
    code: 'INVALID_CONFIG',
    message: 'circuitBreaker: limit cannot be 0; give a whole number from 1 on',
  })
})

test('rejects a stored state of another shape', () => {
  const { slot } = circuitBreaker()
  assert.ok(slot !== undefined)
  assert.equal(slot.refusal({ run: 'a', tools: { search: { last: 'b', count: 2 } } }), undefined)
  for (const wrong of [null, {}, { run: 'a', tools: { search: { last: 'b', count: -1 } } }]) {
    assert.equal(slot.refusal(wrong), 'it has the wrong shape')
  }
})
