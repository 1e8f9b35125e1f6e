import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { demoShop, MockLLMProvider, parseConversations, runConversations } from '@echelon/support'
import { IS_WHOLE } from '../share.ts'

const FILE = new URL('../../datasets/support.yaml', import.meta.url)
const SET = await parseConversations(readFileSync(FILE, 'utf8'), 'datasets/support.yaml')

/** The long tests repeat each conversation. */
const TIMES = IS_WHOLE ? 3 : 1

test(`the project’s own conversations are right offline, ${TIMES} of 3 times`, async () => {
  const all = await runConversations(SET, { open: demoShop(), repeat: TIMES })
  assert.equal(all.length, 60)
  const flaws = all.flatMap(({ id, runs }) =>
    runs.flatMap((run) => run.flaws.map((flaw) => `${id}: ${flaw}`)),
  )
  assert.deepEqual(flaws, [])
})

test('conversations of other customers, that were mended once, stay right', async () => {
  const file = new URL('../../datasets/support-more.yaml', import.meta.url)
  const more = await parseConversations(readFileSync(file, 'utf8'), 'datasets/support-more.yaml')
  const all = await runConversations(more, { open: demoShop() })
  assert.equal(all.length, 97)
  const flaws = all.flatMap(({ id, runs }) =>
    runs.flatMap((run) => run.flaws.map((flaw) => `${id}: ${flaw}`)),
  )
  assert.deepEqual(flaws, [])
})

const set = (turns: string, more = ''): string =>
  `today: 2025-10-18\ncustomer: C-001\nconversations:\n  - id: one\n${more}    turns:\n${turns}`

test('a conversation is wrong if something else is done or said than it allows', async () => {
  const rows = [
    [
      '      - user: cancel O-12347\n      - user: yes\n',
      '',
      'wrong',
      /cancel_order .* was not to be called/,
    ],
    ['      - user: where is O-12345\n        never_says: [UPS]\n', '', 'wrong', /turn 1 says UPS/],
    ['      - user: where is O-12345\n        says: [FedEx]\n', '', 'weak', /does not say FedEx/],
    ['      - user: where is O-12345\n        asks: true\n', '', 'weak', /asks false, not true/],
    ['      - user: hello\n        commands: [confirm]\n', '', 'weak', /is read as small-talk/],
    [
      '      - user: where is O-12345\n        tools: [{ tool: list_orders }]\n',
      '',
      'weak',
      /calls check_order_status/,
    ],
    [
      '      - user: hello\n',
      '    orders: { O-12347: { status: cancelled } }\n',
      'weak',
      /status of O-12347 is "processing"/,
    ],
    [
      '      - user: hello\n',
      '    acts: [{ tool: cancel_order }]\n',
      'weak',
      /cancel_order was not called/,
    ],
  ] as const
  for (const [turns, more, verdict, flaw] of rows) {
    const tried = await runConversations(await parseConversations(set(turns, more), 'x'), {
      open: demoShop(),
    })
    assert.equal(tried[0]?.runs[0]?.verdict, verdict)
    assert.match(tried[0]?.runs[0]?.flaws.join() ?? '', flaw)
  }
})

test('a simulated customer writes until the goal is reached', async () => {
  const text = `today: 2025-10-18\ncustomer: C-001\nconversations:\n  - id: one\n    goal: cancel the lamp\n    acts: [{ tool: cancel_order, params: { order_id: O-12347 } }]\n`
  const simulator = new MockLLMProvider(['cancel the lamp', 'yes', '###DONE###'])
  const goals = await parseConversations(text, 'x')
  const [tried] = await runConversations(goals, { open: demoShop(), simulator })
  assert.equal(tried?.runs[0]?.verdict, 'right')
  assert.equal(tried?.runs[0]?.turns.length, 2)
})

test('mistakes in a file of conversations are reported with their place', async () => {
  for (const [text, expected] of [
    ['conversations: []', /conversations/],
    [set('      - says: [x]\n'), /a turn has one of user/],
    [set('      - user: hi\n        says: [ "/(a+)+$/" ]\n'), /too many ways/],
    ['today: tomorrow\nconversations: [{ id: a, goal: b }]', /write a day/],
  ] as const) {
    await assert.rejects(parseConversations(text, 'x.yaml'), {
      code: 'INVALID_INPUT',
      message: expected,
    })
  }
})
