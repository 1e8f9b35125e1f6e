import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Permit } from '../../packages/echelon/src/core/agent/effect.ts'
import type { PermitRequest, Verdict } from '../../packages/echelon/src/core/agent/permission.ts'
import { compose } from '../../packages/echelon/src/middleware/compose.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import { callTools, performing, settled, toEnd, tool, world } from './kit.ts'

const CALL = { id: 'c0', tool: 'act', input: { to: 'ann' } }
const AHEAD: Permit = { type: 'permit', actor: 'all', call: CALL }

/** A world whose rules answer as given; it records their requests, and how often the tool ran. */
function ruled(answer: () => Verdict | Promise<Verdict>) {
  const asked: PermitRequest[] = []
  const ran: unknown[] = []
  const act = tool('act', (input) => ran.push(input), { does: 'acts' })
  const rules = defineMiddleware({
    name: 'rules',
    permit: async (request, next) => {
      if (request.type === 'call') asked.push(request)
      return request.type === 'call' ? answer() : next(request)
    },
  })
  const { services, clock, events } = world({ tools: [act] })
  return { services: { ...services, pipeline: compose([rules()]) }, clock, events, asked, ran }
}

const SAID: readonly Verdict[] = [
  { type: 'allow', details: { limit: 50 } },
  { type: 'deny', reason: 'it is too late', rule: 'hours' },
  { type: 'ask', why: 'it is a lot', details: { of: 'ann' } },
]

for (const verdict of SAID) {
  test(`an agent that asks ahead gets ${verdict.type}, and no tool is called`, async () => {
    const { services, clock, asked, ran, events } = ruled(() => verdict)
    const { result } = await toEnd(startRun(performing([AHEAD]), null, services), clock)
    assert.deepEqual(result, [{ type: 'permitted', verdict }])
    assert.deepEqual(asked, [{ type: 'call', call: CALL, ahead: true }])
    assert.deepEqual(ran, [])
    assert.ok(!events.some(({ type }) => type === 'request-open'))
  })
}

test('an agent that asks ahead does not get the remember callback', async () => {
  const remember = (): void => undefined
  const { services, clock } = ruled(() => ({ type: 'ask', why: 'it is a lot', remember }))
  const { result } = await toEnd(startRun(performing([AHEAD]), null, services), clock)
  assert.deepEqual(result, [{ type: 'permitted', verdict: { type: 'ask', why: 'it is a lot' } }])
})

test('the rules are checked again when a call that was allowed ahead is made', async () => {
  const verdicts: Verdict[] = [{ type: 'allow' }, { type: 'deny', reason: 'not any more' }]
  const { services, clock, asked, ran } = ruled(() => verdicts.shift() ?? { type: 'allow' })
  const steps = [AHEAD, callTools([['act']])]
  const { result } = await toEnd(startRun(performing(steps), null, services), clock)
  assert.deepEqual(result, [
    { type: 'permitted', verdict: { type: 'allow' } },
    { type: 'tools-called', outcomes: [{ type: 'denied', reason: 'not any more' }] },
  ])
  assert.deepEqual(
    asked.map((request) => 'ahead' in request),
    [true, false],
  )
  assert.deepEqual(ran, [])
})

test('rules that throw deny ahead as well', async () => {
  const { services, clock } = ruled(() => Promise.reject(new Error('no disk')))
  const { result } = await toEnd(startRun(performing([AHEAD]), null, services), clock)
  const reason = 'the permission could not be checked (no disk)'
  assert.deepEqual(result, [{ type: 'permitted', verdict: { type: 'deny', reason } }])
})

test('without rules a call is allowed ahead', async () => {
  const { services, clock } = world({})
  const { result } = await toEnd(startRun(performing([AHEAD]), null, services), clock)
  assert.deepEqual(result, [{ type: 'permitted', verdict: { type: 'allow' } }])
})

test('rules that never answer delay neither a cancel nor the time limit', async () => {
  const never = (): Promise<Verdict> => new Promise(() => undefined)
  const { services, clock } = ruled(never)
  const run = startRun(performing([AHEAD]), null, services)
  await settled()
  run.cancel()
  const { status } = await toEnd(run, clock)
  assert.equal(status, 'canceled')

  const timed = ruled(never)
  const limited = { ...timed.services, limits: { seconds: 1 } }
  const { result } = await toEnd(startRun(performing([AHEAD]), null, limited), timed.clock)
  const [seen] = result
  assert.ok(seen?.type === 'refused' && seen.limit === 'seconds')
})

test('an actor asks ahead about its own tools only', async () => {
  const { services, clock, asked } = ruled(() => ({ type: 'allow' }))
  const actors = { all: { tools: ['read'] } }
  const { result } = await toEnd(startRun(performing([AHEAD], actors), null, services), clock)
  const [seen] = result
  assert.ok(seen?.type === 'refused' && seen.limit === 'tool:act')
  assert.deepEqual(asked, [])
})
