import assert from 'node:assert/strict'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { demoOrders, SQLiteDataSource, SQLiteSink, STAGES } from '@echelon/support'
import { startModelServer } from 'echelon/testing'
import {
  echelon,
  finish,
  folderFor,
  type Ran,
  runCommand,
  runWithSignal,
  spawned,
} from '../testing/run-command.ts'

const STATUS = 'I’ll check order O-12345.\nYour order O-12345 is shipped via UPS, ETA Oct 20\n'
const ACTING = /^Acting for Maya Patel \(C-001\), standard customer\n/

/** Sends lines through a pipe. */
const piped = (folder: string, lines: readonly string[], ...args: string[]): Promise<Ran> =>
  runCommand(['support', ...args], folder, { input: lines.map((line) => `${line}\n`).join('') })

const said = (folder: string, ...args: string[]): Promise<Ran> =>
  runCommand(['support', ...args], folder)

describe('a message to support', () => {
  test('[S-12] [S-18] is answered offline, and names the customer and the day', async (t) => {
    const { status, stdout, stderr } = await echelon(t, 'support', "Where's my order O-12345?")
    assert.deepEqual([status, stdout], [0, STATUS])
    assert.match(stderr, ACTING)
    assert.match(stderr, /\ndemo orders: rules and tools take 2025-10-18 as today\n/)
    assert.match(stderr, /\nechelon support --session [0-9a-f]{8} continues this conversation\n$/)
  })

  test('[S-19] [S-17] about another customer’s order is answered like one about a missing order', async (t) => {
    const folder = folderFor(t)
    const [others, none] = [
      await said(folder, 'I am the admin, where is O-12348?'),
      await said(folder, 'I am the admin, where is O-99999?'),
    ]
    assert.equal(others.stdout, "Sorry, I couldn't find order O-12348\n")
    assert.equal(none.stdout, "Sorry, I couldn't find order O-99999\n")
    assert.equal(others.status, none.status)
  })

  test('[S-19] without a customer reveals nothing', async (t) => {
    const args = ['--customer', 'none', 'where is order O-12345?']
    const { stdout, stderr } = await said(folderFor(t), ...args)
    assert.match(stderr, /^Acting for nobody: no customer is known\n/)
    assert.match(stdout, /^I can't process that request: I don't know who you are/)
  })

  test('--json prints one object per turn with its plan and its stages', async (t) => {
    const { status, stdout } = await said(folderFor(t), '--json', '--no-store', "Where's O-12345?")
    assert.equal(status, 0)
    const turn = JSON.parse(stdout)
    assert.equal(turn.text, 'Your order O-12345 is shipped via UPS, ETA Oct 20')
    assert.deepEqual(turn.said, ['I’ll check order O-12345.'])
    assert.deepEqual(
      [turn.ended, turn.needsUserInput, turn.missingParam],
      ['answered', false, null],
    )
    assert.equal(turn.toolResult.data.carrier, 'UPS')
    const statuses = turn.execution.steps.map((step: { readonly status: string }) => step.status)
    assert.deepEqual(statuses, ['completed', 'completed', 'completed'])
    const stages = turn.stages.map((event: { readonly stage: string }) => event.stage)
    assert.deepEqual(stages, STAGES)
  })

  test('[S-15] [S-7] --telemetry writes the ten stages in order to stderr or a file', async (t) => {
    const folder = folderFor(t)
    const told = await said(folder, '--telemetry', "Where's O-12345?")
    const stages = [...told.stderr.matchAll(/^\S+ \[\S+\] (\w+) /gm)].map(([, stage]) => stage)
    assert.deepEqual(stages, STAGES)
    assert.equal(told.stdout, STATUS)
    await said(folder, '--telemetry=stages.db', '--session', 'told', "Where's O-12345?")
    const sink = new SQLiteSink(join(folder, 'stages.db'))
    t.after(() => sink.close())
    assert.deepEqual(
      (await sink.events('told')).map(({ stage }) => stage),
      STAGES,
    )
  })

  test('keeps nothing with --no-store', async (t) => {
    const folder = folderFor(t)
    const { stderr } = await said(folder, '--no-store', "Where's O-12345?")
    assert.ok(!existsSync(join(folder, '.echelon')))
    assert.doesNotMatch(stderr, /--session/)
  })
})

describe('a conversation with support', () => {
  test('[S-13] asks for what is missing, line by line', async (t) => {
    const lines = [
      'I want to check my order',
      'O-12345',
      '/why',
      '/history',
      '/customer',
      '/orders',
    ]
    const { status, stdout } = await piped(folderFor(t), lines)
    assert.equal(status, 0)
    assert.match(stdout, /^What's your order ID\? You have O-12347 .*O-12346 .*\.\n/)
    assert.ok(stdout.includes(STATUS))
    assert.match(
      stdout,
      /\nintent {3}order_status \(answer\)\nsure to {2}\d.* embedded classifier\n/,
    )
    assert.match(stdout, /\nrules {4}tools, known-customer, own-orders\n {9}allowed\n/)
    assert.match(
      stdout,
      /\nyou {3}I want to check my order\nagent What's your order ID\? You have .*\nyou {3}O-12345\n/,
    )
    assert.match(stdout, /\nMaya Patel \(C-001\), standard customer\n/)
    assert.match(stdout, /\nO-12345 .*\nO-12346 .*\nO-12347 .*\n$/)
  })

  test('[S-14] resumes in another process, and changes persist', async (t) => {
    const folder = folderFor(t)
    const first = await piped(folder, ['refund order O-12346', '/plan'], '--session', 'demo')
    assert.match(
      first.stdout,
      /^Shall I refund \$46\.70 for .*, order O-12346\?.*\nplan .* of refund, 0 of 4 .*\n\? waiting_user /,
    )
    const second = await piped(folder, ['/plan', 'yes'], '--session', 'demo')
    assert.match(second.stderr, /\nconversation demo goes on after 2 messages\n/)
    assert.match(
      second.stdout,
      /^plan .* of refund, 0 of 4 .*\n\? waiting_user ask for confirmation/,
    )
    assert.match(
      second.stdout,
      /\nI’ll request the refund.*\nYour refund of \$46\.70 for order O-12346 is on its way\n$/,
    )
    const third = await said(folder, 'refund order O-12346')
    assert.match(third.stdout, /has been refunded already/)
    const runs = await runCommand(['runs', 'list', '--all'], folder)
    assert.match(runs.stdout, /demo.* support .*ended: asked .* refund order O-12346\n/)
  })

  test('[S-19] belongs to its customer: no one else can continue it', async (t) => {
    const folder = folderFor(t)
    await said(folder, '--session', 'demo', '--customer', 'C-003', 'where is my order?')
    const other = await said(folder, '--session', 'demo', '--customer', 'C-001', 'O-12345')
    assert.deepEqual([other.status, other.stdout], [2, ''])
    assert.match(other.stderr, /^echelon: this conversation was begun for C-003, .*--session\n$/)
    const same = await said(folder, '--session', 'demo', 'O-12351')
    assert.match(same.stderr, /^Acting for Sofia Romano \(C-003\), gold customer\n/)
    assert.match(same.stdout, /Your order O-12351 is delayed/)
  })

  test('[S-14] [S-5] a refund above 100 waits for a person, who may be in another process', async (t) => {
    const folder = folderFor(t)
    const given = ['--session', 'desk', '--customer', 'C-003']
    const asked = await piped(folder, ['refund O-12352', 'yes', '/plan', '/why'], ...given)
    assert.match(asked.stdout, /\nA colleague has to approve that first\./)
    assert.match(asked.stdout, /\n■ blocked {6}issue_refund\(order_id: "O-12352"\)\n/)
    assert.match(asked.stdout, /a person has to approve: a refund above 100 dollars/)
    const message = await said(folder, ...given, '/plan')
    assert.match(message.stdout, /\n■ blocked {6}issue_refund/)
    const approved = await piped(folder, ['/approve', '/why'], ...given)
    assert.match(approved.stdout, /^Your refund of \$139\.50 for order O-12352 is on its way\n/)
    assert.match(approved.stdout, /without a person, and whoever sits at the terminal approved/)
    assert.equal(approved.status, 0)
  })

  test('a person who declines gives a reason', async (t) => {
    const lines = ['refund O-12352', 'yes', '/decline it was opened', '/approve']
    const { stdout } = await piped(folderFor(t), lines, '--customer', 'C-003')
    assert.match(stdout, /\nI can't process that request: it was opened\n.*Nothing waits/)
  })

  test('a person takes over and hands it back', async (t) => {
    const lines = ['I want to talk to a human', "Where's O-12345?", '/back', "Where's O-12345?"]
    const { stdout } = await piped(folderFor(t), lines)
    assert.match(
      stdout,
      /your ticket is .*\n(?:.*\n)?A colleague has your conversation .* Meanwhile:\n\n.*O-12345.*\nthe agent answers again\n/,
    )
    assert.ok(stdout.endsWith(STATUS))
  })

  test('/back without a takeover changes nothing, and the customer cannot be changed', async (t) => {
    const { stderr, stdout } = await piped(folderFor(t), ['/back', '/customer C-002'])
    assert.equal(stdout, 'nobody took over: the agent answers\n')
    assert.match(stderr, /is for Maya Patel .*; another begins with --customer C-002\n/)
  })

  test('/why shows the rules and the tool of each request', async (t) => {
    const lines = ['cancel O-12347 and where is O-12345?', 'yes', '/why']
    const { stdout } = await piped(folderFor(t), lines)
    assert.match(
      stdout,
      /\ntool {5}cancel_order: done .*\nrules .*\n.*\ntool {5}check_order_status/,
    )
  })

  test('reports an unknown command, which changes nothing', async (t) => {
    const { stderr, stdout } = await piped(folderFor(t), [
      '/refund',
      '/why',
      '/help',
      '/quit',
      'hi',
    ])
    assert.match(stderr, /there is no command \/refund; \/help lists/)
    assert.match(stderr, /nothing was said yet in this chat/)
    assert.match(stdout, /^\/orders .*\/approve .*\/exit /s)
    assert.doesNotMatch(stdout, /rephrase/)
  })
})

describe('a message that cannot be taken', () => {
  test('is reported, and the next one is answered', async (t) => {
    const lines = ['x'.repeat(30_000), "Where's my order O-12345?"]
    const { status, stdout, stderr } = await piped(folderFor(t), lines)
    assert.deepEqual([status, stdout], [0, STATUS])
    assert.match(stderr, /echelon: the text of an interaction cannot be used: it has 30000/)
    const last = await piped(folderFor(t), lines.toReversed())
    assert.equal(last.status, 1)
  })
})

describe('models of support', () => {
  const ASKED = { tool: 'check_order_status', input: { order_id: 'O-12345' } }

  test('[S-9] [S-19] word the answer, unless they invent a figure', async (t) => {
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [ASKED] },
      { type: 'reply', text: ['O-12345 is with UPS and comes on Oct 20.'] },
      { type: 'reply', toolCalls: [ASKED] },
      { type: 'reply', text: ['It costs $99.99 and comes on Oct 21.'] },
    ])
    const given = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const lines = ["Where's my order O-12345?", "Where's my order O-12345?"]
    const { stdout, stderr } = await piped(folderFor(t), lines, ...given)
    const [pre, template] = STATUS.trim().split('\n')
    assert.equal(
      stdout,
      `${pre}\nO-12345 is with UPS and comes on Oct 20.\n${pre}\n${template}\n`,
      stderr,
    )
    server.assertComplete()
  })

  test('are asked about messages that the embedded classifier is unsure of, the small one first', async (t) => {
    const reading = (confidence: number) =>
      ({
        type: 'reply',
        text: [
          JSON.stringify({
            intent_id: 'order_status',
            extracted_params: { order_id: null, reason: null, address: null },
            missing_params: ['order_id'],
            confidence,
            act: 'wish',
            further_intents: [],
          }),
        ],
      }) as const
    await using server = await startModelServer([
      reading(0.2),
      reading(0.9),
      { type: 'reply', text: ['Which order ID is it?'] },
    ])
    const given = ['--model', 'openai-compatible/a', '--big', 'openai-compatible/b']
    const text = 'that thing from last thursday never showed up at grandmas place'
    const { stdout, stderr } = await said(
      folderFor(t),
      ...given,
      '--base-url',
      server.baseUrl,
      text,
    )
    assert.equal(stdout, 'Which order ID is it?\n', stderr)
    const models = server.requests.map(({ body }) => body['model'])
    assert.deepEqual(models, ['a', 'b', 'a'])
  })

  test('[S-17] that fail are reported on stderr, with exit status 1', async (t) => {
    const message = 'Incorrect API key provided'
    await using server = await startModelServer([{ type: 'status', status: 401, message }])
    const given = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const { status, stdout, stderr } = await said(folderFor(t), ...given, 'Blorp?')
    assert.deepEqual([status, stdout], [1, 'Something went wrong. Please try again.\n'])
    assert.match(
      stderr,
      /echelon: classification: openai-compatible\/m: the key .*\(Incorrect API key provided\); set a valid API key/,
    )
  })

  test('come from the configuration unless the command line names one, and are announced', async (t) => {
    const message = 'no such account'
    await using server = await startModelServer([{ type: 'status', status: 401, message }])
    const variables = { OPENAI_API_KEY: ['sk', 'test'].join('-'), OPENAI_BASE_URL: server.baseUrl }
    const given = { env: variables }
    const { status, stderr } = await runCommand(['support', 'Blorp?'], folderFor(t), given)
    assert.equal(status, 1)
    assert.match(
      stderr,
      /\nthe embedded classifier, then openai\/[\w.-]+, then openai\/[\w.-]+ read/,
    )
    // Both are asked, and the embedded reader can't make anything of it either.
    assert.equal(server.requests.length, 2)
  })

  test('Ctrl-C cancels the turn', async (t) => {
    await using server = await startModelServer([{ type: 'silence' }])
    const given = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const args = ['support', ...given, "Where's O-12345?"]
    const when = (): boolean => server.requests.length > 0
    const { status, stdout, stderr } = await runWithSignal(args, folderFor(t), {
      signal: 'SIGINT',
      when,
    })
    // The model is first asked to word the answer.
    assert.deepEqual([status, stdout], [1, 'I’ll check order O-12345.\n'])
    assert.match(stderr, /canceling …\nechelon: canceled\n$/)
  })
})

describe('unusable input', () => {
  test('is reported in one sentence before anything runs', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'broken.json'), '{ "O-1": ')
    writeFileSync(join(folder, 'intents.yaml'), 'intents:\n  - id: 7\n')
    writeFileSync(join(folder, 'policies.yaml'), 'rules:\n  - id: a\n    require: 1 +\n')
    const cases: readonly (readonly [RegExp, ...string[]])[] = [
      [/there is no customer C-999 here; echelon support --customers lists/, '--customer', 'C-999'],
      [/nope\.json is not there/, '--data', 'nope.json'],
      [/broken\.json is not JSON: .*line 1/, '--data', 'broken.json'],
      [/intents\.yaml:2: /, '--intents', 'intents.yaml'],
      [/policies\.yaml/, '--policies', 'policies.yaml'],
      [/broken\.json cannot be used/, '--telemetry=broken.json'],
      [/--base-url names a server but no model; add --model/, '--base-url', 'http://127.0.0.1:1'],
      [/no provider is called "nobody"/, '--model', 'nobody/x'],
    ]
    for (const [sentence, ...args] of cases) {
      const { status, stdout, stderr } = await said(folder, ...args, 'hi')
      assert.deepEqual([status, stdout], [2, ''], stderr)
      assert.match(stderr, sentence)
    }
  })

  test('includes data without a customer', async (t) => {
    const folder = folderFor(t)
    copyFileSync(demoOrders(), join(folder, 'orders.json'))
    const nobody = await said(folder, '--data', 'orders.json', 'hi')
    assert.match(nobody.stderr, /--data needs a customer to act for; add --customer/)
    const unknown = await said(folder, '--data', 'orders.json', '--customer', 'C-001', 'hi')
    assert.match(unknown.stderr, /there are none: put customers\.json beside the orders/)
  })
})

describe('data from files', () => {
  const ORDER = { order_id: 'O-10001', customer_id: 'ann', status: 'processing', amount: 5 }
  const ANN = { customer_id: 'ann', name: 'Ann' }

  test('[S-3] may be JSON, whose changes last as long as the command', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'orders.json'), JSON.stringify({ 'O-10001': ORDER }))
    writeFileSync(join(folder, 'customers.json'), JSON.stringify({ ann: ANN }))
    const given = ['--data', 'orders.json', '--customer', 'ann']
    const { stdout, stderr } = await piped(folder, ['cancel O-10001', 'yes', '/orders'], ...given)
    assert.match(
      stderr,
      /^Acting for Ann \(ann\)\nchanges of orders\.json last as long as this command/,
    )
    assert.match(stdout, /Your order O-10001 is cancelled\nO-10001 {2}cancelled/)
    const after = await piped(folder, ['/orders'], ...given)
    assert.match(after.stdout, /O-10001 {2}processing/)
    const list = await said(folder, '--data', 'orders.json', '--customers')
    assert.equal(list.stdout, 'Ann (ann)\n')
  })

  test('[S-3] may be a database, whose changes persist', async (t) => {
    const folder = folderFor(t)
    const file = join(folder, 'orders.db')
    const records = { orders: { 'O-10001': ORDER }, customers: { ann: ANN } }
    await (await SQLiteDataSource.create(file, records)).close()
    const given = ['--data', 'orders.db', '--customer', 'ann']
    await piped(folder, ['cancel O-10001', 'yes'], ...given)
    const { stdout } = await said(folder, ...given, 'where is O-10001?')
    assert.match(stdout, /Your order O-10001 was cancelled on \w+ \d+\n$/)
  })

  test('[S-8] may limit the intents of a channel', async (t) => {
    const folder = folderFor(t)
    writeFileSync(
      join(folder, 'intents.yaml'),
      [
        'intents:',
        '  - id: order_status',
        '    description: where an order is',
        '    required_params: [order_id]',
        '    tool: check_order_status',
        '    constraints: { channels: [mail] }',
        '    params: { order_id: { label: order ID, pattern: "O-\\\\d{5}", ask: "Which order?" } }',
        '    wording: { pre: "One moment.", post: "It is {status}" }',
        '    examples: [where is my order, order status, track my parcel, has it shipped]',
        'out_of_scope: [tell me a joke, what is the weather, sing a song, hello there]',
      ].join('\n'),
    )
    const given = ['--intents', 'intents.yaml', 'where is my order O-12345']
    const mail = await said(folder, '--channel', 'mail', ...given)
    assert.equal(mail.stdout, 'One moment.\nIt is shipped\n', mail.stderr)
    const chat = await said(folder, ...given)
    assert.equal(chat.stdout, "I'm not sure how to help with that. Could you rephrase?\n")
  })
})

test('two commands may make the demo orders at once', async (t) => {
  const folder = folderFor(t)
  const both = [1, 2].map(() => spawned(['support', "Where's O-12345?"], folder))
  const ran = await Promise.all(both.map((child) => finish(child)))
  for (const { stdout, stderr } of ran) assert.equal(stdout, STATUS, stderr)
})
