import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { STEP_STATUSES } from '../../packages/support/src/turn/planning/plan-execution.ts'
import { IS_WHOLE, share } from '../share.ts'
import { exploreSupport } from './explore.ts'
import { STANDINGS } from './standings.ts'
import { BY_ITSELF, BY_MODELS, MESSAGES, OFFLINE, REVIEWS, saying, THREE_RUNGS } from './world.ts'

const INPUTS = [...MESSAGES, ...REVIEWS]

/** Every way in which a turn may end. */
const OUTCOMES = [
  'answered',
  'asked',
  'blocked',
  'denied',
  'dropped',
  'failed',
  'handed_over',
  'not_understood',
]

const some = (...names: readonly (keyof typeof STANDINGS)[]): typeof STANDINGS =>
  Object.fromEntries(Object.entries(STANDINGS).filter(([name]) => names.includes(name)))

describe('the support agent, explored', () => {
  test('[S-11] [S-14] offline, from every open state: ends as documented, and acts, speaks and asks only as its rules allow', () => {
    const { found, statuses } = exploreSupport(OFFLINE, { inputs: INPUTS, purity: IS_WHOLE })
    found.assertSound()
    assert.deepEqual([...found.reasons].toSorted(), OUTCOMES)
    assert.deepEqual([...statuses].toSorted(), [...STEP_STATUSES].toSorted())
    assert.ok(found.states > 5000, `only ${found.states} states`)
  })

  test('gives the same output for the same input, and does not change its input', () => {
    exploreSupport(OFFLINE, { inputs: share(INPUTS, 3) }).found.assertSound()
  })

  test('[S-11] with models that read, plan and word anything', () => {
    // Determinism is tested above.
    const { found } = exploreSupport(BY_MODELS, {
      inputs: [saying('O-11111 or O-22222, hm'), ...REVIEWS],
      standings: some(
        'nothing is open',
        'a question is open',
        'a confirmation is open',
        'a plan is blocked',
      ),
      purity: false,
    })
    found.assertSound()
    assert.deepEqual([...found.reasons].toSorted(), OUTCOMES)
  })

  test('with three rungs, each of which may pass on, fail or be refused', () => {
    const { found } = exploreSupport(THREE_RUNGS, {
      inputs: [saying('O-11111, hm')],
      standings: some('nothing was said', 'a confirmation is open'),
    })
    found.assertSound()
  })

  test('[S-11] with a model that plans call after call by itself, within its limits', () => {
    const { found } = exploreSupport(BY_ITSELF, {
      inputs: [saying('look')],
      standings: some('nothing was said'),
      limits: { 'calls.small': 2, tools: 2 },
      purity: false,
    })
    found.assertSound()
    assert.ok(found.reasons.has('answered') && found.reasons.has('failed'))
  })

  test('ignores customer messages during a turn', () => {
    exploreSupport(OFFLINE, {
      inputs: [saying('refund; status O-22222')],
      standings: some('a question is open'),
      heard: ['and?'],
    }).found.assertSound()
  })

  test('resumes from each stored state', () => {
    exploreSupport(OFFLINE, {
      inputs: [saying('yes'), saying('status O-11111; refund O-22222')],
      standings: some('nothing was said', 'a confirmation is open'),
      loads: true,
    }).found.assertSound()
  })
})
