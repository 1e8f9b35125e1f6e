import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { EchelonError } from '../../../echelon/src/core/value/error.ts'
import { loadIntents, parseIntents } from './intents-file.ts'

const SMALL = `tiers: [standard, premium]
redaction:
  params: [iban]
intents:
  - id: payout
    description: Pay something out
    required_params: [iban]
    tool: pay_out
    constraints: { channels: [chat], rollout: 50, min_tier: premium }
    params:
      iban:
        pattern: DE\\d{20}
        form: upper
    examples: [pay me]
`

/** Replacements of pieces of the file, with the expected message. */
const WRONG: Readonly<Record<string, readonly [piece: string, instead: string, said: RegExp]>> = {
  'a key that nobody knows': [
    'tool: pay_out',
    'tool: pay_out\n    tol: x',
    /^f:9: intents\.0: tol is not a known key; remove it, or correct its name$/,
  ],
  'a key that is missing': ['    tool: pay_out\n', '', /^f:5: intents\.0\.tool: /],
  'a key that comes twice': ['tool: pay_out', 'tool: a\n    tool: b', /^f:9: .*unique/i],
  'a pattern that is none': ['DE\\d{20}', 'DE(', /^f:12: the pattern is not a regular expression/],
  'a pattern that closes a group too early': ['DE\\d{20}', 'a)|(b', /^f:12: the pattern is no/],
  'a pattern that takes hours': [
    'DE\\d{20}',
    '(\\w+\\s?)+',
    /^f:12: the pattern can match in too many/,
  ],
  'a pattern that matches nothing': ['DE\\d{20}', '\\d*', /^f:12: the pattern matches nothing/],
  'a rollout above 100': [
    'rollout: 50',
    'rollout: 101',
    /^f:9: .*rollout is percent of customers: write 0 to 100$/,
  ],
  'a rollout below 0': ['rollout: 50', 'rollout: -1', /write 0 to 100$/],
  'a tier that is not in the list': [
    'min_tier: premium',
    'min_tier: gold',
    /^f:9: gold is none of the tiers; write one of standard, premium$/,
  ],
  'a tier without a list': [
    'tiers: [standard, premium]\n',
    '',
    /^f:8: there are no tiers; write tiers: \[premium\]/,
  ],
  'no intents': [
    SMALL.slice(SMALL.indexOf('intents:')),
    'intents: []\n',
    /^f:4: intents: write at least one intent$/,
  ],
  'an id that is no name': [
    'id: payout',
    'id: Pay Out',
    /^f:5: intents\.0\.id: write a name of small letters/,
  ],
  'a parameter that is described and not used': [
    'required_params: [iban]',
    'required_params: []',
    /^f:11: iban is not a parameter; add it to required_params or optional_params$/,
  ],
  'a parameter that comes twice': [
    'required_params: [iban]',
    'required_params: [iban, iban]',
    /^f:7: iban comes twice; name it once$/,
  ],
  'a sentence with a name that is no parameter': [
    'tool: pay_out',
    'tool: pay_out\n    wording:\n      pre: I pay to {ibn}.',
    /^f:10: \{ibn\} is not a parameter of payout; it has iban$/,
  ],
  'a sentence with an unknown form': [
    'tool: pay_out',
    'tool: pay_out\n    wording:\n      post: On {day|dat}',
    /^f:10: \{day\|dat\} has an unknown form; write \|date or \|money, or none$/,
  ],
  'a sentence with a brace too many': [
    'tool: pay_out',
    'tool: pay_out\n    wording:\n      post: "Paid {amount"',
    /^f:10: a brace belongs to no \{name\}/,
  ],
  'a sentence with a bracket too many': [
    'tool: pay_out',
    'tool: pay_out\n    wording:\n      post_by_status:\n        done: "Paid[ to {iban}"',
    /^f:11: a bracket .* is not closed/,
  ],
  'an example without words': [
    '[pay me]',
    '[""]',
    /^f:14: intents\.0\.examples\.0: write a text here/,
  ],
}

const problemsOf = async (text: string): Promise<string> => {
  const error: unknown = await parseIntents(text, 'f').then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(error instanceof EchelonError)
  assert.equal(error.code, 'INVALID_CONFIG')
  return error.message
}

suite('[S-8] an intents file that is wrong is told with file, line and what to do, by', () => {
  for (const [what, [piece, instead, said]] of Object.entries(WRONG)) {
    test(what, async () => {
      assert.ok(SMALL.includes(piece))
      const [first = ''] = (await problemsOf(SMALL.replace(piece, () => instead))).split('\n')
      assert.match(first, said)
    })
  }

  test('an id that another intent has', async () => {
    const twice = SMALL + SMALL.slice(SMALL.indexOf('  - id'))
    assert.equal(await problemsOf(twice), 'f:15: payout comes twice; give each intent its own id')
  })

  test('something other than settings', async () => {
    for (const text of ['', 'hello', '- 1', '[[[', 'intents: *x', 'a: &a [*a]']) {
      assert.match(await problemsOf(text), /^f/, text)
    }
  })

  test('no file', async () => {
    await assert.rejects(loadIntents('/nowhere/intents.yaml'), {
      code: 'INVALID_CONFIG',
      message: '/nowhere/intents.yaml cannot be read; name a file of intents',
    })
  })
})

suite('[S-8] an intents file', () => {
  test('is parsed once for all agents of a program, and again if its text changed', async () => {
    const first = await parseIntents(SMALL, 'f')
    assert.equal((await parseIntents(SMALL, 'f')).config, first.config)
    assert.notEqual((await parseIntents(`${SMALL}\n`, 'f')).config, first.config)
    assert.notEqual((await parseIntents(SMALL, 'g')).config, first.config)
  })

  test('needs few settings: the rest has defaults', async () => {
    const { config } = await parseIntents(SMALL, 'f')
    const [intent] = config.intents
    assert.deepEqual(config.tiers, ['standard', 'premium'])
    assert.deepEqual(config.redactedParams, ['iban'])
    assert.deepEqual(intent?.constraints, { channels: ['chat'], rollout: 50, minTier: 'premium' })
    assert.deepEqual(intent?.params, {
      iban: {
        label: 'iban',
        pattern: 'DE\\d{20}',
        form: 'upper',
        ask: "What's your iban?",
        values: {},
        wholeAnswer: false,
      },
    })
    assert.deepEqual([intent?.optionalParams, intent?.tools, intent?.confirm], [[], [], false])
  })

  test('is read from its place', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'intents-'))
    context.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'mine.yaml')
    await writeFile(path, SMALL)
    assert.equal((await loadIntents(path)).find('payout')?.tool, 'pay_out')
  })

  test('comes with Echelon, and holds the intents of the agent', async () => {
    const { config } = await loadIntents()
    assert.deepEqual(
      config.intents.map(({ id, tool, confirm }) => [id, tool, confirm]),
      [
        ['order_status', 'check_order_status', false],
        ['refund', 'issue_refund', true],
        ['cancel', 'cancel_order', true],
        ['change_address', 'change_address', true],
        ['return', 'start_return', true],
        ['hand_over', 'hand_over', false],
        ['take_back', 'close_hand_over', false],
        ['my_orders', 'list_orders', false],
        ['tracking', 'check_order_status', false],
        ['order_payment', 'check_order_status', false],
        ['order_address', 'check_order_status', false],
        ['order_items', 'check_order_status', false],
        ['return_deadline', 'check_order_status', false],
        ['order_wishes', 'check_order_status', false],
        ['invoice', 'get_invoice', false],
      ],
    )
    for (const { id, examples, params } of config.intents) {
      if (id === 'take_back') continue
      assert.ok(examples.length >= 15, id)
      const takesOrder = id !== 'hand_over' && id !== 'my_orders'
      if (takesOrder) assert.equal(params['order_id']?.ask, "What's your order ID?")
    }
    assert.deepEqual(config.redactedParams, ['address'])
  })
})
