import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { parse } from 'yaml'
import type { JsonObject } from '../../../../echelon/src/core/value/json.ts'
import { fill } from '../fill.ts'
import { unsupportedClaims } from './unsupported-claims.ts'

const SHIPPED: JsonObject = {
  order_id: 'O-12345',
  status: 'shipped',
  carrier: 'UPS',
  eta: '2025-10-20',
}
const DELIVERED: JsonObject = {
  order_id: 'O-12346',
  status: 'delivered',
  delivered_at: '2025-10-02T12:32:00Z',
}

const claims = (text: string, results: readonly JsonObject[], done: readonly string[] = []) =>
  unsupportedClaims(text, { results, done })

suite('claims of an answer', () => {
  test('are looked up for the thing that a clause names, and otherwise the newest', () => {
    const both = [DELIVERED, SHIPPED]
    assert.deepEqual(claims('O-12346 was delivered, and O-12345 is on its way.', both), [])
    assert.deepEqual(claims('O-12345 was delivered, and O-12346 is on its way.', both), [
      'delivered',
      'on its way',
    ])
    assert.deepEqual(claims('It was delivered.', both), ['delivered'])
    assert.deepEqual(claims('It was delivered.', [{ orders: both }]), ['delivered'])
  })

  test('use the newest data on a thing', () => {
    const later = { ...SHIPPED, status: 'cancelled' }
    assert.deepEqual(claims('O-12345 is shipped.', [SHIPPED, later]), ['shipped'])
    assert.deepEqual(claims('O-12345 is cancelled.', [SHIPPED, later]), [])
  })

  test('about what did not happen need data too', () => {
    assert.deepEqual(claims('It was not delivered yet.', [SHIPPED]), [])
    assert.deepEqual(claims('It was not delivered yet.', [DELIVERED]), ['delivered'])
    assert.deepEqual(claims('It was not delivered yet.', []), ['delivered'])
    assert.deepEqual(claims('Nobody says that it was not delivered.', [SHIPPED]), ['delivered'])
  })

  test('about actions need a tool that performed them', () => {
    const data = [{ order_id: 'O-1', status: 'open' }]
    assert.ok(claims('I have flagged it.', data, ['look_up_order']).length > 0)
    assert.deepEqual(claims('I have flagged it.', data, ['flag_order']), [])
    assert.deepEqual(claims('I have checked it.', data), [])
  })

  test('about a state named by the data are supported by its word', () => {
    const data = [{ reservation_id: 'R1', status: 'waitlisted' }]
    assert.deepEqual(claims('Your reservation is waitlisted.', data), [])
    assert.deepEqual(claims('Your reservation is confirmed.', data), ['confirmed'])
  })

  test('in a language that is not read are unsupported', () => {
    for (const text of [
      'Ihre Bestellung wurde erstattet.',
      'Remboursé.',
      '已退款。',
      'Возвращено',
    ]) {
      assert.ok(claims(text, [SHIPPED]).length > 0, text)
    }
  })

  test('of the shipped wordings are all supported', () => {
    const file = new URL('../../../config/intents.yaml', import.meta.url)
    const { intents } = parse(readFileSync(file, 'utf8'))
    const base = { order_id: 'O-12345', carrier: 'UPS', eta: '2025-10-20', address: '5 Main St' }
    for (const { id, tool, wording } of intents) {
      const statuses: JsonObject = wording.post_by_status ?? {}
      const after: Readonly<Record<string, string>> = {
        refund: 'refunded',
        cancel: 'cancelled',
        return: 'return_started',
      }
      const rows = [...Object.entries(statuses), [after[id] ?? 'shipped', wording.post] as const]
      for (const [state, template] of rows) {
        const status = state.replace(/_overdue$/, '')
        const data = {
          ...base,
          status,
          ticket: 'H-1',
          refund_amount: status === 'refunded' ? 5 : 0,
        }
        const said = fill(String(template), data)
        assert.deepEqual(claims(said, [data], [tool, id]), [], said)
      }
    }
  })

  test('are found in time linear in the text', () => {
    for (const piece of ['is ', 'will ', 'i have ', 'not ', 'refunded, ', 'a. ', 'A ', 'to the ']) {
      const before = process.threadCpuUsage()
      claims(piece.repeat(50_000), [SHIPPED])
      // Quadratic time at this length would take minutes.
      assert.ok(process.threadCpuUsage(before).user < 5_000_000, piece)
    }
  })
})
