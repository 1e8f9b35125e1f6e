import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Json } from '../../core/value/json.ts'
import type { VerifiedTask } from '../answer.ts'
import { attempt, calling } from '../in-tests.ts'
import type { Judgment } from '../verifier.ts'
import { call } from './call.ts'

const TOOLS: NonNullable<VerifiedTask['tools']> = [
  {
    name: 'book_table',
    description: 'Books a table in a restaurant',
    jsonSchema: {
      type: 'object',
      properties: {
        restaurant: { type: 'string', description: 'Name of the restaurant' },
        guests: { type: 'integer' },
        date: { type: 'string', description: 'ISO date' },
        area: { type: 'string', enum: ['inside', 'terrace'], description: 'Default is "inside"' },
      },
      required: ['restaurant', 'guests'],
    },
  },
  {
    name: 'compoundInterest',
    description: 'The interest of an amount over years',
    jsonSchema: {
      type: 'object',
      properties: {
        amount: { type: 'number' },
        rate: { type: 'number', description: 'Between 0 and 1' },
        years: { type: 'integer' },
      },
      required: ['amount', 'rate', 'years'],
    },
  },
]

function judged(question: string, ...calls: readonly (readonly [string, Json])[]): Judgment {
  const judgment = call().verify(calling(question, TOOLS, calls), [])
  assert.ok(judgment.verdict !== 'ask')
  return judgment
}

const feature = ({ features }: Judgment, name: string): number => features[`call.${name}`] ?? NaN

const DINNER = 'Please book a table at Chez Nous for four guests on May 3rd, 2026.'
const BOOKING = { restaurant: 'Chez Nous', guests: 4, date: '2026-05-03' }
const INTEREST = 'What is the compound interest on $1,250 at 4.5% over ten years?'

suite('the verifier call', () => {
  test('finds arguments in words, in other notations and as stated defaults', () => {
    for (const [question, tool, input] of [
      [DINNER, 'book_table', BOOKING],
      [DINNER, 'book_table', { ...BOOKING, area: 'inside' }],
      [INTEREST, 'compoundInterest', { amount: 1250, rate: 0.045, years: 10 }],
    ] as const) {
      const judgment = judged(question, [tool, input])
      assert.equal(feature(judgment, 'invented'), 0)
      assert.equal(feature(judgment, 'unused'), 0)
      assert.equal(judgment.reason, 'its calls fit the question')
      assert.ok(judgment.score > 0.5)
    }
  })

  test('refutes what does not fit the schema', () => {
    const rows: readonly (readonly [string, Json, RegExp])[] = [
      ['book_tables', BOOKING, /there is no tool book_tables/],
      ['book_table', { restaurant: 'Chez Nous' }, /guests: is required/],
      ['book_table', { ...BOOKING, guests: 'four' }, /guests: expected integer/],
      ['book_table', { ...BOOKING, area: 'garden' }, /area: expected one of/],
      ['book_table', 'Chez Nous', /expected object/],
    ]
    for (const [tool, input, reason] of rows) {
      const judgment = judged(DINNER, [tool, input])
      assert.equal(judgment.verdict, 'refuted')
      assert.match(judgment.reason, reason)
    }
  })

  test('scores calls that look right and are wrong below the right one', () => {
    const right = judged(DINNER, ['book_table', BOOKING])
    const wrong: readonly (readonly [string, readonly (readonly [string, Json])[], string])[] = [
      ['another number', [['book_table', { ...BOOKING, guests: 5 }]], 'inventedNumbers'],
      ['another day', [['book_table', { ...BOOKING, date: '2026-05-13' }]], 'invented'],
      [
        'another place',
        [['book_table', { ...BOOKING, restaurant: 'Bella Napoli' }]],
        'inventedWords',
      ],
      ['an argument left out', [['book_table', { restaurant: 'Chez Nous', guests: 4 }]], 'unused'],
      [
        'a call made twice',
        [
          ['book_table', BOOKING],
          ['book_table', BOOKING],
        ],
        'repeated',
      ],
      [
        'a call with a part of another',
        [
          ['book_table', BOOKING],
          ['book_table', { restaurant: 'Chez Nous', guests: 4 }],
        ],
        'repeated',
      ],
    ]
    for (const [what, calls, name] of wrong) {
      const judgment = judged(DINNER, ...calls)
      assert.ok(judgment.score < right.score, what)
      assert.ok(feature(judgment, name) > feature(right, name), what)
    }
  })

  test('notices a call that is missing for one of several objects', () => {
    const question = 'Compound interest of 100 at 5% for 2 years, and of 300 at 7% for 4 years?'
    const one = ['compoundInterest', { amount: 100, rate: 0.05, years: 2 }] as const
    const other = ['compoundInterest', { amount: 300, rate: 0.07, years: 4 }] as const
    assert.equal(feature(judged(question, one), 'unusedNumbers'), 3)
    assert.equal(feature(judged(question, one, other), 'unusedNumbers'), 0)
    assert.equal(feature(judged(question, one, other), 'repeated'), 0)
  })

  test('notices a tool that has nothing to do with the question', () => {
    const judgment = judged('Who wrote the opera about 4 seasons in 1725?', [
      'book_table',
      { restaurant: 'opera', guests: 4 },
    ])
    assert.equal(feature(judgment, 'description'), 0)
    assert.match(judgment.reason, /shares no word with the question/)
    const other = judged(INTEREST, ['book_table', { restaurant: 'interest', guests: 10 }])
    assert.equal(feature(other, 'passedOver'), 1)
  })

  test('reads earlier messages of the conversation', () => {
    const later = calling('Make it five guests.', TOOLS, [
      ['book_table', { ...BOOKING, guests: 5 }],
    ])
    const judgment = call().verify({ ...later, task: { ...later.task, earlier: [DINNER] } }, [])
    assert.ok(judgment.verdict !== 'ask' && judgment.features['call.invented'] === 0)
  })

  test('scores words in the place of a call by how well a tool would fit', () => {
    const refusal = (question: string): number => {
      const { task } = calling(question, TOOLS, [])
      const judgment = call().verify(
        { task, answer: { type: 'text', text: 'I cannot do that.' }, made: [] },
        [],
      )
      assert.ok(judgment.verdict === 'scored' && judgment.features['call.none'] === 1)
      return judgment.score
    }
    assert.ok(refusal(DINNER) < refusal('Who wrote The Magic Flute?'))
  })

  test('is silent where no calls were wanted and none were made', () => {
    const judgment = call().verify(attempt('2 + 2?', '4', { kind: 'number' }), [])
    assert.equal(judgment.verdict, 'silent')
  })
})
