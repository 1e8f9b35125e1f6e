import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SetClock } from 'echelon/testing'
import type { Json, RunEvent } from 'echelon/runtime'
import type { ServedRun, TurnEnd } from '../agents/served-agent.ts'
import { UNMEASURED } from '../agents/unmeasured.ts'
import { LiveRun } from '../runs/live-run.ts'
import { WaitingCalls } from './waiting-calls.ts'

/** A run that waits until it is canceled. */
function waitingRun() {
  const { promise, resolve } = Promise.withResolvers<TurnEnd>()
  const next = async (): Promise<IteratorResult<RunEvent, void>> => {
    await promise
    return { done: true, value: undefined }
  }
  const run: ServedRun = {
    id: 'run',
    outcome: promise,
    cancel: () => resolve(CANCELED),
    respond: (_request: string, _reply: Json) => undefined,
    [Symbol.asyncIterator]: () => ({ next }),
  }
  const agent = {
    name: 'chat',
    definition: 'chat',
    kind: 'chat',
    description: '',
    models: [],
    tools: [],
    accepts: { sessions: true, history: true, files: true, tools: true, output: true },
    options: {},
    maxCost: null,
    start: async () => run,
  } as const
  return new LiveRun({
    agent,
    run,
    owner: 'ada',
    session: null,
    clientTools: [],
    now: () => 0,
    hear: () => undefined,
  })
}

const CANCELED: TurnEnd = {
  status: 'canceled',
  text: '',
  reason: 'canceled',
  detail: null,
  ...UNMEASURED,
}

const waits = (run: LiveRun) => ({
  run,
  principal: { name: 'ada' },
  request: 'r',
  place: { n: 1, sub: 0 },
  calls: new Map([['call_a', 0]]),
  responses: 1,
})

test('a waiting run is found by its user and agent only', () => {
  const waiting = new WaitingCalls(new SetClock(0))
  const one = waits(waitingRun())
  waiting.add(one)
  assert.equal(waiting.find(['other', 'call_a'], { name: 'ada' }, 'chat'), one)
  assert.equal(waiting.find(['call_a'], { name: 'bob' }, 'chat'), undefined)
  assert.equal(waiting.find(['call_a'], { name: 'ada' }, 'decide'), undefined)
  waiting.remove(one)
  assert.equal(waiting.find(['call_a'], { name: 'ada' }, 'chat'), undefined)
})

test('an abandoned run is canceled after a quarter of an hour', async () => {
  const clock = new SetClock(0)
  const waiting = new WaitingCalls(clock)
  const one = waits(waitingRun())
  waiting.add(one)
  await clock.advance(14 * 60_000)
  assert.equal(waiting.find(['call_a'], { name: 'ada' }, 'chat'), one)
  await clock.advance(60_000)
  assert.equal((await one.run.outcome)?.status, 'canceled')
  assert.equal(waiting.find(['call_a'], { name: 'ada' }, 'chat'), undefined)
})
