import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { pause } from '../../core/value/abortable.ts'
import type { ModelCall, ModelOutcome, ToolRequest } from '../../core/extension/middleware.ts'
import { defineTool, type Tool, type ToolOutcome } from '../../core/tool/tool.ts'
import {
  failed,
  generated,
  modelCall,
  type TestRun,
  testRun,
} from '../../testing/middleware-run.ts'
import { modelOf, modelThrough, toolThrough } from '../in-tests.ts'
import { retry } from './retry.ts'
import { timeout } from './timeout.ts'

/** A slow model that obeys its signal and records how it ended. */
function slowModel(testedRun: TestRun, ms: number) {
  const ends: string[] = []
  const model = async (call: ModelCall): Promise<ModelOutcome> => {
    const signal = call.signal ?? testedRun.signal
    await pause(testedRun.clock, ms, signal)
    ends.push(signal.aborted ? 'given up' : 'answered')
    return signal.aborted ? failed('aborted') : generated('yes')
  }
  return Object.assign(model, { ends })
}

test('a late model call is aborted and fails with a retryable error', async () => {
  const testedRun = testRun()
  const model = slowModel(testedRun, 5000)
  const running = modelThrough([timeout({ modelMs: 2000 })], model)(modelCall(), testedRun)
  await testedRun.clock.advance(2000)
  assert.deepEqual(
    await running,
    failed('timeout', { message: 'test/model did not answer within 2 s' }),
  )
  assert.deepEqual(model.ends, ['given up'])
  assert.equal(testedRun.clock.pending, 0)
})

test('a call in time is unchanged, and no timer remains', async () => {
  const testedRun = testRun()
  const running = modelThrough([timeout()], slowModel(testedRun, 5000))(modelCall(), testedRun)
  await testedRun.clock.advance(5000)
  assert.deepEqual(await running, generated('yes'))
  assert.equal(testedRun.clock.pending, 0)
})

test('a model that ignores its signal is abandoned', async () => {
  const testedRun = testRun()
  const deaf = (): Promise<ModelOutcome> => new Promise(() => undefined)
  const running = modelThrough([timeout({ modelMs: 2000 })], deaf)(modelCall(), testedRun)
  await testedRun.clock.advance(2000)
  const outcome = await running
  assert.equal(outcome.type === 'failed' && outcome.error.code, 'timeout')
})

test('an answer that arrives at the moment of the timeout is used', async () => {
  const testedRun = testRun()
  const last = async ({ signal }: ModelCall): Promise<ModelOutcome> => {
    await pause(testedRun.clock, Infinity, signal ?? testedRun.signal)
    return generated('just so')
  }
  const running = modelThrough([timeout({ modelMs: 2000 })], last)(modelCall(), testedRun)
  await testedRun.clock.advance(2000)
  assert.equal((await running).type, 'generated')
})

test("the run’s cancel and time limit take precedence, and so does a call's own signal", async () => {
  const canceled = testRun()
  const model = slowModel(canceled, 5000)
  const running = modelThrough([timeout()], model)(modelCall(), canceled)
  canceled.cancel()
  assert.deepEqual(await running, failed('aborted'))
  assert.deepEqual(model.ends, ['given up'])

  const short = testRun({ ms: 1000 })
  const asked = modelOf(generated('yes'))
  await modelThrough([timeout()], asked)(modelCall(), short)
  assert.equal(asked.asked[0]?.signal, undefined)

  const testedRun = testRun()
  const own = new AbortController()
  const call = modelCall({ signal: own.signal })
  const given = modelThrough([timeout()], slowModel(testedRun, 5000))(call, testedRun)
  own.abort()
  assert.deepEqual(await given, failed('aborted'))
})

test('outside retry it limits all attempts together, inside it each one', async () => {
  const tries = async (order: 'outside' | 'inside'): Promise<number> => {
    const testedRun = testRun()
    const limit = timeout({ modelMs: 2000 })
    const again = retry({ jitter: 0, baseMs: 1000 })
    const middlewares = order === 'outside' ? [limit, again] : [again, limit]
    const model = slowModel(testedRun, 5000)
    const running = modelThrough(middlewares, model)(modelCall(), testedRun)
    await testedRun.clock.advance(60_000)
    const outcome = await running
    assert.equal(outcome.type === 'failed' && outcome.error.code, 'timeout')
    return model.ends.length
  }
  assert.equal(await tries('outside'), 1)
  assert.equal(await tries('inside'), 3)
})

const toolThat = (more: Partial<Pick<Tool, 'name' | 'does' | 'delegates'>>): Tool =>
  defineTool({
    name: 'look',
    description: '',
    input: z.object({}),
    run: () => null,
    ...more,
  })

/** Calls a tool that never ends by itself, and advances the clock. */
async function lateCall(tool: Tool, options = {}): Promise<ToolOutcome | 'still running'> {
  const testedRun = testRun({ tools: [tool] })
  const run = async ({ signal = testedRun.signal }: ToolRequest): Promise<ToolOutcome> => {
    await pause(testedRun.clock, Infinity, signal)
    return { type: 'error', code: 'TOOL_ERROR', message: 'canceled' }
  }
  const call = { id: '1', tool: tool.name, input: {} }
  const running = toolThrough([timeout(options)], run)(call, testedRun)
  await testedRun.clock.advance(60_000)
  return Promise.race([
    running,
    new Promise<'still running'>((r) => setImmediate(r, 'still running')),
  ])
}

test('a late tool call is aborted: an error, or an unknown outcome if it acts', async () => {
  assert.deepEqual(await lateCall(toolThat({})), {
    type: 'error',
    code: 'NET_TIMEOUT',
    message: 'look took longer than 30 s',
  })
  assert.deepEqual(await lateCall(toolThat({ does: 'acts' }), { toolMs: 1500 }), {
    type: 'unknown',
    message: 'look took longer than 1.5 s, was given up, and may have acted',
  })
})

test('a tool may have its own timeout, and a delegating tool has none', async () => {
  assert.equal(await lateCall(toolThat({}), { tools: { look: 90_000 } }), 'still running')
  assert.equal(await lateCall(toolThat({ delegates: true })), 'still running')
  const named = await lateCall(toolThat({ delegates: true }), { tools: { look: 2000 } })
  assert.ok(named !== 'still running' && named.type === 'error')
  assert.equal(await lateCall(toolThat({}), { toolMs: Infinity }), 'still running')
})

test('a tool in time is unchanged', async () => {
  const testedRun = testRun()
  const run = async (): Promise<ToolOutcome> => ({ type: 'ok', value: 1 })
  const outcome = await toolThrough([timeout()], run)(
    { id: '1', tool: 'look', input: {} },
    testedRun,
  )
  assert.deepEqual(outcome, { type: 'ok', value: 1 })
  assert.equal(testedRun.clock.pending, 0)
})

test('rejects invalid times', () => {
  assert.throws(() => timeout({ modelMs: 0 }), {
    code: 'INVALID_CONFIG',
    message: 'timeout: modelMs cannot be 0; give a number from 1 on',
  })
  assert.throws(() => timeout({ tools: { look: NaN } }), { code: 'INVALID_CONFIG' })
})
