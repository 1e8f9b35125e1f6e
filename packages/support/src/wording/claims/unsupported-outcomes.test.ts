import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { unsupportedOutcomes } from './unsupported-outcomes.ts'

const RESULTS = [
  { reservation_id: 'R1', status: 'cancelled' },
  { order_id: 'O-12345', status: 'shipped' },
]

const outcomes = (text: string, done: readonly string[] = []): readonly string[] =>
  unsupportedOutcomes(text, { results: RESULTS, done })

suite('outcomes that a conversation states', () => {
  test('are supported by the data, or by completed work', () => {
    for (const text of [
      'Your reservation R1 has been cancelled.',
      'I can cancel it for you. Shall I go on?',
      'Once it is delivered, you can return it.',
      'I cannot refund a ticket that was not cancelled.',
      'If it was delivered late, a certificate is possible.',
    ]) {
      assert.deepEqual(outcomes(text), [], text)
    }
    assert.deepEqual(outcomes('I have booked it.', ['book_reservation']), [])
    assert.deepEqual(outcomes('I have cancelled R1.', ['cancel_reservation']), [])
  })

  test('that are neither are found', () => {
    for (const text of [
      'Your order O-12345 has been delivered.',
      'Your order O-12345 was refunded in full.',
      'I have booked it.',
      "We've already upgraded your seat.",
      'O-12345 has been cancelled, as you wished.',
    ]) {
      assert.ok(outcomes(text).length > 0, text)
    }
  })
})
