import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responded } from '../../packages/support/src/turn/stages.ts'
import { supportAgent } from '../../packages/support/src/turn/support-definition.ts'
import { NOTHING_SAID } from '../../packages/echelon/src/core/message/thread.ts'
import { done } from './kit.ts'
import { OFFLINE, saying } from './world.ts'

test('[S-7] a response event holds the duration of the turn and of its tools', () => {
  const { state } = supportAgent(OFFLINE).start(saying('status O-11111'), {
    at: 1_000,
    seed: 1,
    runId: 'r',
    timeZone: 'UTC',
    limits: {},
    history: NOTHING_SAID,
  })
  const call = { toolName: 'check_order_status', params: {} }
  const took = (executionTimeMs: number) => ({ call, result: { ...done({}), executionTimeMs } })
  const { data } = responded({ ...state, at: 1_250, calls: [took(30), took(12)] }, 'It is shipped.')
  assert.partialDeepStrictEqual(data, {
    payload: { length: 14, durations_ms: { turn: 250, tools: 42 } },
  })
})
