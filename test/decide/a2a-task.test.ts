import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type A2aTask,
  a2aTask,
  RPC_CODES,
} from '../../packages/echelon/src/agents/decide/case/a2a-task.ts'
import { EchelonError, ERRORS } from '../../packages/echelon/src/core/value/error.ts'
import {
  calc,
  DECLINED,
  MATH_TASK,
  planOf,
  type Scripts,
  scripted,
  STOCK_TASK,
  stockPlan,
} from './fixtures.ts'

interface Followed {
  readonly begun: A2aTask
  readonly ended: A2aTask
}

async function follow(input: string, scripts: Scripts, cancel = false): Promise<Followed> {
  const controller = new AbortController()
  const ids = { taskId: 'task-1', contextId: 'context-1' }
  const run = await scripted(scripts).decider.start(input, { ...ids, signal: controller.signal })
  const begun = a2aTask(run.view())
  if (cancel) controller.abort()
  await run.result
  return { begun, ended: a2aTask(run.view()) }
}

test('[DD-19] a task goes through the A2A states', async () => {
  const right = await follow(MATH_TASK, { small: [planOf(calc('15 * 23'))] })
  assert.ok(['submitted', 'working'].includes(right.begun.status.state))
  assert.equal(right.begun.status.message, undefined)
  assert.equal(right.ended.status.state, 'completed')
  const failed = await follow(MATH_TASK, { small: [DECLINED], big: [DECLINED, DECLINED] })
  assert.equal(failed.ended.status.state, 'failed')
  const canceled = await follow(MATH_TASK, { small: [DECLINED], big: [DECLINED] }, true)
  assert.equal(canceled.ended.status.state, 'canceled')
})

test('[DD-19] messages are text parts, and tool results are data parts, errors too', async () => {
  const wrong = planOf(calc('1 / 0'), { tool: 'abacus', args: {} })
  const small = [wrong, wrong]
  const { ended } = await follow(MATH_TASK, { small, big: [planOf(calc('15 * 23'))] })
  const { history, status } = ended
  assert.deepEqual(history[0], {
    kind: 'message',
    messageId: 'task-1:input',
    role: 'user',
    parts: [{ kind: 'text', text: MATH_TASK }],
  })
  const data = history
    .slice(1)
    .map(({ parts: [part] }) => (part?.kind === 'data' ? part.data : null))
  assert.ok(data.some((each) => each?.['code'] === 'UNKNOWN_TOOL' && each['kind'] === 'error'))
  assert.deepEqual(data.at(-1), { value: '345', kind: 'data' })
  assert.deepEqual(status.message?.parts, [{ kind: 'text', text: '345' }])
  assert.equal(new Set(history.map(({ messageId }) => messageId)).size, history.length)
})

test('[DD-19] files are file parts of artifacts', async () => {
  const { ended } = await follow(STOCK_TASK, { small: [stockPlan()] })
  assert.deepEqual(
    ended.artifacts.map(({ name, parts: [{ kind, file }] }) => [name, kind, file.mimeType]),
    [['plot.png', 'file', 'image/png']],
  )
})

test('[DD-19] a failed request has A2A’s code, or one of ours', async () => {
  const { decider } = scripted()
  const codeOf = async (asked: Promise<unknown>): Promise<number> => {
    const error: unknown = await asked.catch((reason: unknown) => reason)
    assert.ok(error instanceof EchelonError, String(error))
    return RPC_CODES[error.code]
  }
  assert.equal(await codeOf(decider.resume('no-such-run')), -32_001)
  assert.equal(await codeOf(decider.runCase(MATH_TASK, { expectedTools: ['abacus'] })), -32_004)
  assert.equal(await codeOf(decider.runCase('')), -32_005)
  const codes = Object.values(RPC_CODES)
  assert.equal(new Set(codes).size, Object.keys(ERRORS).length, 'no two errors share a code')
  for (const code of codes) {
    const isOurs = code <= -32_050 && code >= -32_099
    assert.ok(isOurs || [-32_001, -32_004, -32_005].includes(code), String(code))
  }
})
