import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Json } from '../../core/value/json.ts'
import type { Attempt } from '../answer.ts'
import { attempt } from '../in-tests.ts'
import type { Judgment } from '../verifier.ts'
import { grounded } from './grounded.ts'

const POLICY = `Orders can be returned within 30 days of delivery. Sale items cannot be returned.
Refunds reach your bank account after 5 working days. Shipping costs $4.90, and is free above $50.
The shop was founded in Rotterdam by Ada Vermeer in 1998.`

const ORDER: Json = {
  order: { id: 'A-1042', status: 'shipped', carrier: 'PostNL', gift: false },
  lines: [
    { name: 'Blue kettle', quantity: 2, price: 24.5 },
    { name: 'Tea towel', quantity: 1, price: 6 },
  ],
}

function judged(question: string, text: string, given: Partial<Attempt> = {}): Judgment {
  const base = attempt(question, text)
  const task = { ...base.task, sources: [{ name: 'policy', text: POLICY }] }
  const judgment = grounded().verify({ ...base, task, ...given }, [])
  assert.ok(judgment.verdict !== 'ask')
  return judgment
}

const withOrder = (question: string, text: string): Judgment =>
  judged(question, text, {
    task: { question, wanted: { kind: 'text' } },
    made: [
      {
        call: { id: '1', tool: 'order', input: { id: 'A-1042' } },
        outcome: { type: 'ok', value: ORDER },
      },
    ],
  })

suite('the verifier grounded', () => {
  const right: readonly (readonly [string, string])[] = [
    ['Can I return my order?', 'Yes, orders can be returned within 30 days of delivery.'],
    ['When do I get my money?', 'Refunds reach your bank account after five working days.'],
    ['What does shipping cost?', 'Shipping costs $4.90. It is free above $50. Happy to help!'],
    ['Who founded the shop?', 'Ada Vermeer founded it in Rotterdam in 1998.'],
    ['Can I return a sale item?', 'No, sale items can’t be returned.'],
  ]
  for (const [question, text] of right) {
    test(`supports: ${text}`, () => {
      const judgment = judged(question, text)
      assert.equal(judgment.score, 1, JSON.stringify(judgment))
      assert.equal(judgment.verdict, 'scored')
    })
  }

  const wrong: readonly (readonly [string, string, string])[] = [
    [
      'a figure that stands elsewhere',
      'Orders can be returned within 5 days of delivery.',
      'misplaced',
    ],
    ['another name', 'The shop was founded in Rotterdam by Ada Visser.', 'names'],
    ['a denial left out', 'Yes, sale items can be returned.', 'unsupported'],
    ['a denial added', 'Orders cannot be returned within 30 days of delivery.', 'unsupported'],
    [
      'a claim of its own',
      'Returned parcels are insured by the carrier at no charge.',
      'unsupported',
    ],
  ]
  for (const [what, text, name] of wrong) {
    test(`does not support ${what}`, () => {
      const judgment = judged('What are the rules?', text)
      assert.ok(judgment.score < 0.5, JSON.stringify(judgment))
      assert.equal(judgment.features['grounded.supported'], 0)
      assert.ok((judgment.features[`grounded.${name}`] ?? 0) > 0)
    })
  }

  test('refutes a figure that stands nowhere, without naming it', () => {
    const judgment = judged('When?', 'Orders can be returned within 45 days of delivery.')
    assert.equal(judgment.verdict, 'refuted')
    assert.equal(judgment.features['grounded.figures'], 1)
    assert.equal(judgment.reason, 'no source holds 1 figure of the answer')
  })

  test('scores by the share of sentences', () => {
    const text =
      'Orders can be returned within 30 days of delivery. Our staff calls every customer.'
    const judgment = judged('What are the rules?', text)
    assert.equal(judgment.features['grounded.supported'], 0.5)
    assert.equal(judgment.score, 0.5)
  })

  test('reads the results of tools, record by record', () => {
    assert.equal(withOrder('Where is it?', 'Order A-1042 was shipped with PostNL.').score, 1)
    assert.equal(withOrder('What did I buy?', 'You bought 2 Blue kettles at 24.50.').score, 1)
    assert.equal(withOrder('What did I buy?', 'You bought 2 tea towels at 24.50 each.').score, 0)
    assert.equal(withOrder('Is it a gift?', 'The order A-1042 is shipped as a gift.').score, 0)
  })

  test('finds the passage among many that are worded alike', () => {
    const text = Array.from({ length: 200 }, (_, at) => `Room ${at} has ${at % 7} beds.`).join(' ')
    const task = {
      question: 'How many beds?',
      wanted: { kind: 'text' },
      sources: [{ name: 'rooms', text }],
    } as const
    assert.equal(judged('', 'Room 152 has 5 beds.', { task }).score, 1)
    assert.equal(judged('', 'Room 152 has 2 beds.', { task }).score, 0)
    // The room before it has as many.
    assert.equal(judged('', 'Room 152 has 4 beds.', { task }).score, 0)
  })

  test('is silent where there is nothing to rely on, and for mere politeness', () => {
    const bare = grounded().verify(attempt('Hi', 'Refunds take 5 days.'), [])
    assert.equal(bare.verdict, 'silent')
    assert.equal(judged('Thanks!', 'You are welcome! Let me know.').verdict, 'silent')
  })
})
