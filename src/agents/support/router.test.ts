import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import {
  done,
  PlainExecutor,
  PlainMemory,
  plainRouter,
  PlainPolicy,
  undone,
  YES,
} from './in-tests.ts'

const FULL = [
  'received',
  'history_loaded',
  'intents_eligible',
  'intent_classified',
  'plan_created',
  'plan_type',
  'policy_check',
  'tool_execute',
  'response_generated',
  'memory_updated',
]

describe('a turn', () => {
  test('[S-12] [S-15] with all that is needed goes through ten stages in order', async () => {
    const { router, events } = plainRouter()
    const response = await router.resolve({ text: 'status O-12345' }, 's')
    assert.equal(response.text, 'Your order O-12345 is shipped')
    assert.equal(response.needsUserInput, false)
    assert.deepEqual(
      events.map(({ stage }) => stage),
      FULL,
    )
  })

  test('[S-13] asks for what is missing, and goes on with the answer', async () => {
    const { router, events } = plainRouter()
    const first = await router.resolve({ text: 'status' }, 's')
    assert.equal(first.text, "What's your order ID?")
    assert.equal(first.missingParam, 'order_id')
    const asked = events.splice(0).map(({ stage }) => stage)
    assert.deepEqual(
      asked,
      FULL.filter((stage) => !['policy_check', 'tool_execute'].includes(stage)),
    )
    const second = await router.resolve({ text: 'O-12345' }, 's')
    assert.equal(second.text, 'Your order O-12345 is shipped')
  })
})
