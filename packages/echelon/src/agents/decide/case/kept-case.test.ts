import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityOf, isKept, storedCase } from './kept-case.ts'
import { FINISH_REASONS } from '../state.ts'

test('[DD-20] leaving out `unchecked` keeps the identity of earlier versions', () => {
  const before = JSON.stringify(['What?', 'hrm_small_then_escalate', [], null, null, null, null])
  assert.equal(identityOf('What?', {}), before)
  assert.equal(identityOf('What?', { unchecked: 'answer' }), before)
  assert.notEqual(identityOf('What?', { unchecked: 'refuse' }), before)
})

test('a result stored by an earlier version gets its `checked` value', () => {
  const kept = {
    run_id: 'run-1',
    answer: '1',
    verified: true,
    finish_reason: 'success',
    limit: null,
    explanation: 'Verified.',
    logs: [],
    artifacts: {},
    counters: {},
    token_usage: {},
    cost: 0,
    rungs: [],
  }
  assert.equal(storedCase(kept).checked, 'verified')
  assert.equal(storedCase({ ...kept, verified: false }).checked, 'not_checked')
  assert.equal(storedCase({ ...kept, checked: 'refuted' }).checked, 'refuted')
  assert.throws(() => storedCase({ run_id: 'run-1', verified: true }), { code: 'STATE_REFUSED' })
})

test('[DD-22] a key keeps every ending except a cancel', () => {
  const kept = FINISH_REASONS.filter((finish_reason) => isKept({ finish_reason, problem: null }))
  assert.deepEqual(kept, ['success', 'supported', 'budget', 'big_fail', 'unchecked', 'blocked'])
})
