import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadIntents } from '../../packages/support/src/defaults/intents-file.ts'
import type { Intent } from '../../packages/support/src/intent.ts'
import type { Message } from '../../packages/support/src/message.ts'
import { groundedParams } from '../../packages/support/src/turn/grounding.ts'
import { supportAgent } from '../../packages/support/src/turn/support-definition.ts'
import type { SupportState } from '../../packages/support/src/turn/support-state.ts'
import { grounded } from '../../packages/support/src/understand/grounded.ts'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { NOTHING_SAID } from '../../packages/echelon/src/core/message/thread.ts'
import { OFFLINE, saying } from './world.ts'

const { config } = await loadIntents()
const find = (id: string): Intent => {
  const intent = config.intents.find((each) => each.id === id)
  assert.ok(intent)
  return intent
}
const [refund, address] = [find('refund'), find('change_address')]
const said = (...texts: readonly string[]): Parameters<typeof grounded>[2] => ({
  said: texts,
  results: [],
})

suite('[S-5] a parameter that a model has read out', () => {
  test('holds if the customer said it, normalized, regardless of case, blanks and signs', () => {
    for (const text of [
      'refund o-12345!',
      'it is O–12345.Thanks',
      'ＯＲＤＥＲ (O-12345)',
      'a\nO-12345\tb',
    ]) {
      assert.deepEqual(grounded(refund, { order_id: 'O-12345' }, said(text)), {
        params: { order_id: 'O-12345' },
        refused: [],
      })
    }
    const { params } = grounded(refund, { order_id: ' o-12345 ' }, said('o-12345'))
    assert.deepEqual(params, { order_id: 'O-12345' })
  })

  test('is missing if the user did not say it', () => {
    for (const text of ['refund my order', 'O-123456', 'NO-12345', 'O-12345-7', 'O-1234 5', '']) {
      assert.deepEqual(grounded(refund, { order_id: 'O-12345' }, said(text)), {
        params: {},
        refused: ['order_id'],
      })
    }
  })

  test('is missing if it does not match its pattern, though it was said', () => {
    const { params, refused } = grounded(refund, { order_id: '12345' }, said('it is 12345'))
    assert.deepEqual([params, refused], [{}, ['order_id']])
  })

  test('is missing if the intent does not know it', () => {
    const { refused } = grounded(
      refund,
      { admin: 'true', order_id: 'O-12345' },
      said('true O-12345'),
    )
    assert.deepEqual(refused, ['admin'])
  })

  test('holds if a tool returned it, at any depth', () => {
    const results = [{ orders: [{ order_id: 'O-12345', amount: 29.99 }] }]
    assert.deepEqual(grounded(refund, { order_id: 'O-12345' }, { said: [], results }).refused, [])
    assert.deepEqual(grounded(refund, { order_id: 'O-12346' }, { said: [], results }).refused, [
      'order_id',
    ])
  })

  test('holds as one of a closed list if any of its words was said', () => {
    const reason = { reason: 'damaged' }
    assert.deepEqual(grounded(refund, reason, said('it came broken')).params, reason)
    assert.deepEqual(grounded(refund, reason, said('I just want it')).refused, ['reason'])
    assert.deepEqual(grounded(refund, { reason: 'because' }, said('because')).refused, ['reason'])
  })

  test('holds as free text only if all of it was said', () => {
    const oak = { address: '12 Oak Street, Springfield' }
    assert.deepEqual(
      grounded(address, oak, said('send it to 12  oak street, Springfield')).params,
      oak,
    )
    assert.deepEqual(grounded(address, oak, said('send it to 12 Oak Street')).refused, ['address'])
  })

  test('holds as a number only if that exact number was said', () => {
    const free: Intent = { ...refund, optionalParams: ['amount'] }
    assert.deepEqual(grounded(free, { amount: 29.9 }, said('it cost 29.9')).params, {
      amount: 29.9,
    })
    assert.deepEqual(grounded(free, { amount: 29.9 }, said('it cost 29.99')).refused, ['amount'])
    assert.deepEqual(grounded(free, { amount: null }, said('null')).refused, ['amount'])
    assert.deepEqual(grounded(free, { amount: [] }, said('[]')).refused, ['amount'])
  })
})

test('[S-5] a parameter that only the agent said is not evidence', () => {
  const { state } = supportAgent(OFFLINE).start(saying('refund it please'), {
    at: 0,
    seed: 1,
    runId: 'r',
    timeZone: 'UTC',
    limits: {},
    history: NOTHING_SAID,
  })
  const message = (role: Message['role'], metadata: JsonObject = {}): SupportState => {
    const text = 'Do you mean O-12345?'
    return { ...state, history: [{ role, text, timestamp: '2026-11-22T00:00:00Z', metadata }] }
  }
  const params = { order_id: 'O-12345' }
  assert.deepEqual(groundedParams(refund, params, message('agent')), {})
  assert.deepEqual(groundedParams(refund, params, message('user')), params)
  const returned = { calls: [{ order_id: 'O-12345' }] }
  assert.deepEqual(groundedParams(refund, params, message('agent', returned)), params)
  assert.deepEqual(groundedParams(refund, params, message('user', returned)), params)
})
