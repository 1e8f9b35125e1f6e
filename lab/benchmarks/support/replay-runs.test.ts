import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { share } from '../../../test/share.ts'
import type { Row } from '../tools/row.ts'
import { airlineReplayFigures, retailReplayFigures } from './replay-runs.ts'
import type { Mode } from './tau/replay-run.ts'
import { readRuns } from './tau/recorded-run.ts'
import { AIRLINE_FILES, RETAIL_FILES } from './tau/in-tests.ts'

const toolCall = (name: string, args: string, extra: object = {}): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: args } }],
  ...extra,
})
const output = (content: string): object => ({ role: 'tool', tool_call_id: 'call_1', content })
const user = (content: string): object => ({ role: 'user', content })
const said = (content: string): object => ({ role: 'assistant', content })

/** Where `RUN` leaves the made-up airline, as CPython has it. */
const END = '1de258234e65edd4794fd3c39c7f887401572fd8eeb8a43b943b98764e6953f4'

const CERTIFICATE = '{"user_id": "bo_2", "amount": 50.0}'

/** A repeated call, an unknown tool, wrong arguments, an end without an answer. */
const MESSAGES = [
  { role: 'system', content: 'the policy' },
  user('I am bo_2. My flight was late, twice.'),
  said('I am sorry. Shall I send certificates?'),
  user('Yes'),
  toolCall('send_certificate', CERTIFICATE, { content: 'I send them.' }),
  output('Certificate certificate_3221322 added to user bo_2 with amount 50.0.'),
  toolCall('send_certificate', CERTIFICATE),
  output('Certificate certificate_3221323 added to user bo_2 with amount 50.0.'),
  toolCall('calculate', '{"expression": "50 * 2"}'),
  output('100.0'),
  said('Done.'),
  user('Cancel RES001 as well'),
  toolCall('undo_flight', '{"id": "RES001"}'),
  output('Unknown action undo_flight'),
  toolCall('cancel_reservation', '{"id": "RES001"}'),
  output("Error: CancelReservation.invoke() got an unexpected keyword argument 'id'"),
  toolCall('cancel_reservation', '{"reservation_id": "RES001"}'),
  output(
    '{"reservation_id": "RES001", "user_id": "zo\\u00eb_1", "origin": "SFO", "destination": "DEN", "flight_type": "one_way", "cabin": "economy", "flights": [{"origin": "SFO", "destination": "DEN", "flight_number": "F1", "date": "2024-05-20", "price": 90}], "passengers": [{"first_name": "Zo\\u00eb", "last_name": "O\'Hara", "dob": "1990-01-01"}], "payment_history": [{"payment_id": "credit_card_1", "amount": 90}, {"payment_id": "credit_card_1", "amount": -90}], "created_at": "2024-05-01T00:00:00", "total_baggages": 1, "nonfree_baggages": 0, "insurance": "no", "status": "cancelled"}',
  ),
  toolCall('transfer_to_human_agents', '{"summary": "done"}'),
  output('Transfer successful'),
]

const GOLD = [
  { name: 'send_certificate', kwargs: { user_id: 'bo_2', amount: 50 } },
  { name: 'transfer_to_human_agents', kwargs: { summary: 'x' } },
]

const RUN = {
  task_id: 7,
  trial: 0,
  traj: MESSAGES,
  info: { task: { actions: GOLD }, reward_info: { info: { r_actions: 0 } } },
}

/** Figures of made-up files, which are removed afterwards. */
async function figures(
  name: 'tau_airline' | 'tau_retail',
  files: Readonly<Record<string, string>>,
  rows: readonly object[],
  modes?: readonly Mode[],
): Promise<ReadonlyMap<string, Row>> {
  const folder = await mkdtemp(join(tmpdir(), 'replay-test-'))
  try {
    await mkdir(join(folder, name, 'db'), { recursive: true })
    for (const [table, text] of Object.entries(files)) {
      await writeFile(join(folder, name, 'db', `${table}.json`), text)
    }
    const isAirline = name === 'tau_airline'
    const records = isAirline ? 'gpt4o_runs.jsonl' : 'gold_actions.jsonl'
    const lines = rows.map((row) => JSON.stringify(row)).join('\n')
    await writeFile(join(folder, name, records), lines)
    const found = await (isAirline ? airlineReplayFigures : retailReplayFigures)(folder, modes)
    return new Map(found.map((row) => [row.set, row]))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const MODES = [
  'as recorded',
  'restarted each message',
  'a process each message',
  'calls delivered twice',
]

suite('replayed runs', () => {
  test('[S-6] [S-14] outputs and database are the same, restarted or not, and with each call twice', async () => {
    const rows = await figures('tau_airline', AIRLINE_FILES, [{ ...RUN, db_hash: END }])
    for (const mode of MODES) {
      const outputs = rows.get(`airline ${mode}: outputs`)
      assert.partialDeepStrictEqual(outputs, { counted: 7, right: 7 })
      assert.match(outputs?.note ?? '', /as JSON 7; answers word for word 2 of 2/)
      const hash = rows.get(`airline ${mode}: database hash`)
      assert.partialDeepStrictEqual(hash, { counted: 1, right: 1 })
      assert.equal(hash?.note, '1 against its own, as by direct calls 1')
      const end = rows.get(`airline ${mode}: right or wrong end`)
      assert.partialDeepStrictEqual(end, { counted: 1, right: 1 })
    }
  })

  test('counts differences, in bytes only or in content', async () => {
    const changed = MESSAGES.map((message) =>
      'content' in message && message.content === '100.0' ? output('100') : message,
    )
    const row = { ...RUN, traj: changed, db_hash: END.replace('1', '2') }
    const rows = await figures('tau_airline', AIRLINE_FILES, [row], ['plain'])
    const outputs = rows.get('airline as recorded: outputs')
    assert.partialDeepStrictEqual(outputs, { counted: 7, right: 6 })
    assert.match(outputs?.note ?? '', /as JSON 7/)
    assert.equal(rows.get('airline as recorded: database hash')?.right, 0)
  })

  test('recognizes a hash of another formula', async () => {
    const compact = 'd0f2f809fc5461a16b76fe17bb9cefe31679443a2e6458f5cff54015dc15f429'
    const rows = await figures(
      'tau_airline',
      AIRLINE_FILES,
      [{ ...RUN, db_hash: compact }],
      ['plain'],
    )
    assert.equal(rows.get('airline as recorded: database hash')?.right, 1)
  })

  test('right actions of a shop, whose record has hashes and no outputs', async () => {
    const actions = [
      { name: 'get_order_details', arguments: { order_id: '#W2' } },
      {
        name: 'return_delivered_order_items',
        arguments: { order_id: '#W2', item_ids: ['3'], payment_method_id: 'paypal_1' },
      },
    ]
    const hash = '917570a4c65b2f50f40cc4c54a7e04938d218919777e54ded5b875fe71df0d85'
    const row = { task_id: 1, instruction: 'Return it.', actions, gt_data_hash: hash }
    const rows = await figures('tau_retail', RETAIL_FILES, [row])
    for (const mode of MODES) {
      const outputs = rows.get(`retail ${mode}: outputs`)
      assert.partialDeepStrictEqual(outputs, { counted: 2, right: 2 })
      assert.match(outputs?.note ?? '', /2 not on record: against direct calls/)
      assert.equal(rows.get(`retail ${mode}: database hash`)?.right, 1)
    }
    const gold = rows.get('retail right actions: database hash')
    assert.partialDeepStrictEqual(gold, { counted: 1, right: 1, note: 'sha256 of str(tuples)' })
  })

  test('missing files, and files without usable rows', async () => {
    assert.match((await airlineReplayFigures('/nowhere'))[0]?.note ?? '', /absent/)
    await assert.rejects(figures('tau_airline', AIRLINE_FILES, [{ id: 1 }]), {
      code: 'INVALID_INPUT',
      message: /gpt4o_runs\.jsonl has messages or actions with calls/,
    })
    await assert.rejects(figures('tau_airline', { ...AIRLINE_FILES, users: '[]' }, [RUN]), {
      code: 'INVALID_INPUT',
      message: /users\.json is no JSON object with a record under each id/,
    })
  })
})

suite('recorded runs of several shapes', () => {
  test('messages are cut at those of the customer; a call that comes with text wins', () => {
    const [run] = readRuns(JSON.stringify([RUN]))
    assert.deepEqual(
      run?.exchanges.map(({ turns }) => turns.length),
      [1, 4, 4],
    )
    assert.equal(run?.id, '7/0')
    assert.equal(run?.gold.calls.length, 2)
    assert.equal(run?.endsAsGold, false)
  })

  test('plain calls, arguments as they are, and ints kept apart from floats', () => {
    const messages =
      '[{"role": "user", "content": "hi"}, {"role": "assistant", "tool_calls": [{"name": "a", "args": {"x": 5, "y": 5.0}}]}]'
    const [run] = readRuns(`{"messages": ${messages}}\n`)
    const [turn] = run?.exchanges[0]?.turns ?? []
    assert.ok(turn !== undefined && 'call' in turn)
    assert.deepEqual(
      [...turn.call.args],
      [
        ['x', 5n],
        ['y', 5],
      ],
    )
    assert.equal(turn.output, undefined)
  })
})

const DATA =
  process.env['ECHELON_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))

/** Number of runs of each set that `npm test` replays. */
const SOME = 20

suite('the real records', () => {
  for (const [name, replay] of [
    ['tau_airline', airlineReplayFigures],
    ['tau_retail', retailReplayFigures],
  ] as const) {
    test(`[S-6] all of ${name} is as recorded`, { timeout: 600_000 }, async (context) => {
      // Slow replays are left to the benchmark.
      const rows = await replay(DATA, ['plain', 'twice'], (runs) => share(runs, SOME))
      if (rows[0]?.note?.startsWith('absent') ?? true) {
        return context.skip(`the data set ${name} is not on this machine`)
      }
      for (const { set, counted, right } of rows) assert.equal(right, counted, set)
    })
  }
})
