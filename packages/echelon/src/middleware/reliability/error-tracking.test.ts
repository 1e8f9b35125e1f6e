import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import { MOST_STATE_BYTES } from '../../core/state/state.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'
import {
  failed,
  generated,
  modelCall,
  type TestRun,
  testRun,
} from '../../testing/middleware-run.ts'
import { errorTracking, type ErrorTrackingOptions } from './error-tracking.ts'
import { modelOf, modelThrough, toolThrough } from '../in-tests.ts'

function tracked(options: ErrorTrackingOptions = {}, testedRun: TestRun = testRun()) {
  const middleware = errorTracking(options)
  const model = (outcome: ModelOutcome): Promise<ModelOutcome> =>
    modelThrough([middleware], modelOf(outcome))(modelCall(), testedRun)
  const tool = (outcome: ToolOutcome, name = 'search'): Promise<ToolOutcome> =>
    toolThrough([middleware], async () => outcome)({ id: '1', tool: name, input: {} }, testedRun)
  const state = () => {
    assert.ok(middleware.read !== undefined)
    const { run: _, ...rest } = middleware.read(testedRun)
    return rest
  }
  return { model, tool, state, testedRun, middleware }
}

const wrong = { type: 'error', code: 'TOOL_ERROR', message: 'no' } as const
const ok = { type: 'ok', value: null } as const

test('[C-30] counts errors of models and tools, consecutive and in total, and keeps the last', async () => {
  const { model, tool, state } = tracked()
  await model(failed('unavailable', { message: 'down' }))
  await tool(wrong)
  await tool({ type: 'unknown', message: 'may have acted' })
  assert.deepEqual(state(), {
    models: 1,
    tools: 2,
    total: 3,
    last: { of: 'tool', name: 'search', code: 'unknown', message: 'may have acted' },
  })
  await model(generated('yes'))
  assert.deepEqual([state().models, state().tools, state().total], [0, 2, 3])
  await tool(ok)
  assert.deepEqual([state().models, state().tools, state().total], [0, 0, 3])
})

test('[C-30] denied and refused calls count neither as errors nor as successes', async () => {
  const { model, tool, state } = tracked()
  await tool(wrong)
  await tool({ type: 'denied', reason: 'no' })
  await tool({ type: 'refused', limit: 'tools' })
  await model({ type: 'refused', by: 'budget', limit: 'money', message: 'none left' })
  assert.deepEqual([state().models, state().tools, state().total], [0, 1, 1])
})

test('[C-30] emits each error, and once the row that reaches the limit', async () => {
  const { tool, testedRun } = tracked({ limit: 2 })
  for (let time = 0; time < 3; time++) await tool(wrong)
  const error = (count: number) => ({ of: 'tool', name: 'search', code: 'TOOL_ERROR', count })
  assert.deepEqual(
    testedRun.told.map(({ event, data }) => [event, data]),
    [
      ['error', error(1)],
      ['error', error(2)],
      ['limit', { of: 'tool', count: 2 }],
      ['error', error(3)],
    ],
  )
})

test('[C-30] after so many consecutive errors the run may make no more model calls; the next run may', async () => {
  const first = tracked({ max: 3 })
  await first.model(failed('unavailable'))
  await first.tool(wrong)
  assert.equal((await first.model(failed('unavailable'))).type, 'failed')
  assert.deepEqual(await first.model(generated('yes')), {
    type: 'refused',
    by: 'policy',
    limit: 'errors',
    message: '3 errors in a row: the run is allowed no more model calls',
  })
  const saved = first.testedRun.record()
  const resumed = tracked({ max: 3 }, testRun({ saved }))
  assert.equal((await resumed.model(generated('yes'))).type, 'refused')
  const later = tracked({ max: 3 }, testRun({ runId: 'run-2', saved }))
  assert.equal((await later.model(generated('yes'))).type, 'generated')
  assert.deepEqual([later.state().tools, later.state().total], [0, 3])
})

test('its state stays small for any errors', async () => {
  const { tool, testedRun, state } = tracked()
  for (const text of ['ä', '\u0000', '😀'].map((one) => one.repeat(5000))) {
    await tool({ ...wrong, message: text }, text)
    const bytes = Buffer.byteLength(JSON.stringify(testedRun.record()['echelon/errorTracking']))
    assert.ok(bytes <= MOST_STATE_BYTES)
    assert.equal(state().last?.message, text.slice(0, 200))
  }
  await tool({ ...wrong, message: `a${'😀'.repeat(200)}` })
  assert.ok(state().last?.message.isWellFormed())
})

test('rejects invalid options and states of another shape', () => {
  assert.throws(() => errorTracking({ limit: 0 }), { code: 'INVALID_CONFIG' })
  assert.throws(() => errorTracking({ max: 1.5 }), { code: 'INVALID_CONFIG' })
  const { slot } = errorTracking()
  assert.ok(slot !== undefined)
  const last = { of: 'tool', name: 'a', code: 'b', message: 'c' }
  const fine = { run: '', models: 0, tools: 0, total: 1, last }
  assert.equal(slot.refusal(fine), undefined)
  for (const more of [{ models: -1 }, { last: {} }, { last: { ...last, of: 'cat' } }, { run: 1 }]) {
    assert.ok(slot.refusal({ ...fine, ...more }) !== undefined)
  }
})
