import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import {
  createSupportAgent,
  InMemoryConversationMemory,
  NullPolicyEngine,
  parseIntents,
} from '@echelon/support'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { tried } from './tried.ts'

const file = readFileSync(
  new URL('../../packages/support/config/intents.yaml', import.meta.url),
  'utf8',
).replace(
  /(tool: issue_refund\n\s+)confirm: true([^]*?)( {6}amount:\n)/,
  `$1$2      mail:
        label: mail address
        pattern: '[a-z.]{1,30}@shop\\.example'
        ask: Which mail address?
$3`,
)
const intents = await parseIntents(
  file.replace(
    'optional_params: [reason, amount]\n    tool: issue_refund',
    'optional_params: [reason, amount, mail]\n    tool: issue_refund',
  ),
  'intents.yaml',
)

const calls: { readonly session: string; readonly tool: string; readonly params: JsonObject }[] = []
const agent = await createSupportAgent({
  intents,
  memory: new InMemoryConversationMemory(),
  policy: new NullPolicyEngine(),
  executor: {
    describe: () =>
      [...new Set(intents.config.intents.map(({ tool }) => tool))].map((name) => ({
        name,
        description: name,
        parameters: { type: 'object' },
        acts: true,
      })),
    async execute({ toolName, params }, { sessionId }) {
      calls.push({ session: sessionId, tool: toolName, params })
      return { success: true, data: { ...params, ticket: 'H' }, error: null, executionTimeMs: 1 }
    },
  },
})

let sessions = 0
async function said(...texts: readonly string[]): Promise<{
  readonly text: string
  readonly refunds: readonly JsonObject[]
}> {
  const session = `s${sessions++}`
  let text = ''
  for (const each of texts) {
    // oxlint-disable-next-line no-await-in-loop
    text = (await agent.resolve({ text: each, customerId: 'C-001' }, session)).text
  }
  const own = calls.filter((call) => call.session === session && call.tool === 'issue_refund')
  return { text, refunds: own.map(({ params }) => params) }
}

/** Texts that are not a plain amount but contain parts of one. */
const NO_AMOUNTS = [
  '.5',
  '-5',
  '−5',
  '－5',
  '–5',
  '- 5',
  '+-5',
  '(5)',
  '($5)',
  '1,5',
  '1.000,50',
  '1,000.50',
  '1 000',
  '$5.005',
  '5.005',
  '5e3',
  '5E3',
  '5k',
  '5 k',
  '5%',
  '5 %',
  '5 percent',
  '5-10',
  '5 - 10',
  '5–10',
  '5 to 10',
  '5 or 6',
  '5, 6',
  '5/6',
  '5²',
  '½',
  '5½',
  '①',
  'Ⅴ',
  '٥',
  '五',
  'half',
  'half of it',
  '-$5',
  '$-5',
  '$.5',
  '~5',
  'about 5',
  'at most 5',
  'more than 5',
  'minus 5',
  'negative 5',
  '5 thousand',
  '5 hundred',
  '5 cents',
  '5¢',
  '€5',
  '5 euros',
  '£5',
  '5 GBP',
  '1e400',
  'five dollars',
  'a hundred dollars',
  '5.5.5',
  "1'000",
  '5..6',
  '5+6',
  '5*2',
  '0x10',
  '5:30',
  '1234567',
  '5 6',
  '5 or so',
  '5^2',
  '5\u2044 6',
  '2 items',
] as const

/** Amounts as written, and their values. */
const AMOUNTS: readonly (readonly [string, string])[] = [
  ['5', '5'],
  ['0.5', '0.5'],
  ['5.', '5'],
  ['5.50', '5.50'],
  ['$5', '5'],
  ['$5.50', '5.50'],
  ['5 dollars', '5'],
  ['5 USD', '5'],
  ['５', '5'],
  ['12.30!', '12.30'],
  ['"5"', '5'],
  ['5, please', '5'],
]

/** Texts that contain an order id but are not one. */
const NO_IDS = [
  'O-1234',
  'O-123456',
  'XO-12345',
  'O-12345Y',
  'O-12345-1',
  'A-O-12345',
  'O-12345.6',
  'O-12345@shop.example',
  'x@O-12345',
  'O-12345/O-12346',
  'O-12345_1',
  'O-12345%2f',
  'o_12345',
  'O-1234O',
  'O-12345=O-12346',
  'a/O-12345',
  'O-12345:1',
  'O-1²345',
] as const

suite('values that nobody said so', () => {
  test('an amount that is not plain is asked for, and nothing is refunded', (t) =>
    tried(t, {
      cases: NO_AMOUNTS.flatMap((amount) => [
        `refund ${amount} of order O-12346`,
        `please refund order O-12346, ${amount}`,
        `I want a refund of ${amount} for O-12346`,
      ]),
      named: (text) => text,
      fast: 100,
      async hold(message) {
        const { text, refunds } = await said(message)
        assert.deepEqual(refunds, [])
        assert.match(text, /How much|What's your order ID\?|not sure|Which/)
      },
    }))

  test('an amount that is not plain answers no question', (t) =>
    tried(t, {
      cases: NO_AMOUNTS,
      named: (text) => text,
      fast: 100,
      async hold(amount) {
        const { refunds } = await said('refund .5 of order O-12346', amount)
        assert.deepEqual(refunds, [])
      },
    }))

  test('a plain amount is read as written', (t) =>
    tried(t, {
      cases: AMOUNTS.flatMap(([amount, value]) => [
        [[`please refund ${amount} for my order O-12346`], value] as const,
        [['refund .5 of order O-12346', amount], value] as const,
      ]),
      named: ([texts]) => texts.join(' | '),
      fast: 100,
      async hold([texts, value]) {
        const { refunds } = await said(...texts)
        assert.deepEqual(
          refunds.map(({ amount }) => amount),
          [value],
        )
      },
    }))

  test('a refund without an amount is for the whole order', (t) =>
    tried(t, {
      cases: [
        'refund order O-12346',
        'refund order O-12346, it came 3 days ago',
        'refund O-12346 because it arrived broken on the 2nd',
        'I want my money back for O-12346',
      ],
      named: (text) => text,
      async hold(message) {
        const { refunds } = await said(message)
        assert.equal(refunds.length, 1)
        assert.equal(refunds[0]?.['amount'], undefined)
      },
    }))

  test('an id within a longer text is not an id', (t) =>
    tried(t, {
      cases: NO_IDS.flatMap((id) => [[`refund order ${id}`], ['refund my order', id]] as const),
      named: (texts) => texts.join(' | '),
      fast: 100,
      hold: async (texts) => assert.deepEqual((await said(...texts)).refunds, []),
    }))

  test('an address within a longer one is asked for', (t) =>
    tried(t, {
      cases: [
        'bob@shop.example.evil.example',
        'x+bob@shop.example',
        'bob@shop.examples',
        'bob@shop.example@evil',
      ],
      named: (text) => text,
      async hold(mail) {
        const { text, refunds } = await said(`refund order O-12346 and write to ${mail}`)
        assert.deepEqual(refunds, [], text)
      },
    }))
})
