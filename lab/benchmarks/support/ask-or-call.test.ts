import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Row } from '../tools/row.ts'
import { askOrCallFigures, judge } from './ask-or-call.ts'
import { turnsOf } from './sgd-dialogue.ts'
import { inferSchema, type SgdSchema } from './sgd-schema.ts'

const act = (act: string, slot = '', ...values: readonly string[]): object => ({
  act,
  slot,
  values,
})

const customer = (
  intent: string,
  slots: Readonly<Record<string, readonly string[]>>,
  ...actions: readonly object[]
): object => ({
  speaker: 'USER',
  frames: [{ service: 'Table', actions, state: { active_intent: intent, slot_values: slots } }],
})

const system = (actions: readonly object[], call?: readonly [string, object]): object => ({
  speaker: 'SYSTEM',
  frames: [
    {
      service: 'Table',
      actions,
      ...(call && { service_call: { method: call[0], parameters: call[1] } }),
    },
  ],
})

const CITY = { city: ['Ulm'] }
const BOOKED = { ...CITY, time: ['8 pm'] }
const PARAMS = { city: 'Ulm', time: '20:00', seats: '2' }

/** Searches, takes an offer, books after a correction: each kind of decision, and turns without one. */
const DIALOGUE = {
  dialogue_id: 'd1',
  turns: [
    customer('Find', {}, act('INFORM_INTENT', 'intent', 'Find')),
    system([act('REQUEST', 'city')]),
    customer('Find', CITY, act('INFORM', 'city', 'Ulm')),
    system([act('OFFER', 'name', 'Inn'), act('OFFER', 'kind', 'pub')], ['Find', { city: 'Ulm' }]),
    customer('Find', CITY, act('REQUEST_ALTS')),
    system([act('OFFER', 'name', 'Bar'), act('OFFER', 'kind', 'bar')]),
    customer('Find', { ...CITY, kind: ['bar'] }, act('SELECT')),
    system([act('OFFER_INTENT', 'intent', 'Book')]),
    customer('Book', CITY, act('AFFIRM_INTENT')),
    system([act('REQUEST', 'time')]),
    customer('Book', { ...CITY, time: ['7 pm'] }, act('INFORM', 'time', '7 pm')),
    system([act('CONFIRM', 'time', '7 pm'), act('CONFIRM', 'seats', '2')]),
    customer('Book', BOOKED, act('NEGATE'), act('INFORM', 'time', '8 pm')),
    system([act('CONFIRM', 'time', '8 pm'), act('CONFIRM', 'seats', '2')]),
    customer('Book', { ...BOOKED, seats: ['2'] }, act('AFFIRM')),
    system([act('NOTIFY_SUCCESS')], ['Book', PARAMS]),
    customer('Book', { ...BOOKED, seats: ['2'] }, act('THANK_YOU')),
    system([act('REQ_MORE')]),
    customer('Find', { ...CITY, kind: ['cafe'] }, act('INFORM', 'kind', 'cafe')),
    system([act('OFFER', 'name', 'Inn')], ['Find', { city: 'Ulm', kind: 'cafe' }]),
    customer('NONE', {}, act('GOODBYE')),
  ],
}

const SCHEMA: SgdSchema = new Map([
  ['Table Find', { required: ['city'], optional: ['kind'], isTransactional: false }],
  ['Table Book', { required: ['city', 'time'], optional: ['seats'], isTransactional: true }],
])

const planned = (dialogue: { readonly turns: readonly object[] }, schema: SgdSchema): string[] =>
  judge(turnsOf({ turns: dialogue.turns }), schema).map((judged) => judged.planned.type)

const WANTED = [
  'ask',
  'call',
  'other',
  'other',
  'ask',
  'confirm',
  'confirm',
  'call',
  'other',
  'call',
]

async function figures(files: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sgd-test-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    return await askOrCallFigures(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

suite('ask or call', () => {
  test('[S-10] asks, confirms and calls where the recorded system did, and nowhere else', () => {
    assert.deepEqual(planned(DIALOGUE, SCHEMA), WANTED)
    const judged = judge(turnsOf(DIALOGUE), SCHEMA)
    assert.deepEqual(
      judged.filter(({ isRight }) => !isRight),
      [],
    )
  })

  test('infers what an intent needs without a schema', () => {
    const schema = inferSchema([turnsOf(DIALOGUE)])
    assert.deepEqual(schema, SCHEMA)
    const asksOnly = { turns: DIALOGUE.turns.slice(0, 2) }
    assert.deepEqual(inferSchema([turnsOf(asksOnly)]).get('Table Find')?.required, ['city'])
  })

  test('without acts of the customer, no change after a confirmation is a yes', () => {
    const turns = turnsOf(DIALOGUE).map((turn) => ({
      ...turn,
      frames: turn.frames.map((frame) => (turn.byUser ? { ...frame, actions: [] } : frame)),
    }))
    assert.deepEqual(
      judge(turns, SCHEMA).map((judged) => judged.planned.type),
      WANTED,
    )
  })

  test('counts and names a wrong decision', async () => {
    const turns = DIALOGUE.turns.with(1, system([], ['Find', {}]))
    const lines = [DIALOGUE, { dialogue_id: 'd2', turns }].map((row) => JSON.stringify(row))
    const schema = JSON.stringify([
      {
        service_name: 'Table',
        intents: [
          { name: 'Find', required_slots: ['city'], optional_slots: { kind: 'dontcare' } },
          {
            name: 'Book',
            required_slots: ['city', 'time'],
            optional_slots: { seats: '2' },
            is_transactional: true,
          },
        ],
      },
    ])
    const [all, , , call] = await figures({
      'sgd_dialogues.jsonl': lines.join('\n'),
      'sgd_schema.json': schema,
    })
    assert.partialDeepStrictEqual(all, {
      counted: 14,
      right: 13,
      note: 'required slots of its schema',
    })
    assert.match(call?.note ?? '', /d2\.0: ask for call/)
  })

  test('a file without dialogues is an error that names its keys; a missing file is absent', async () => {
    await assert.rejects(figures({ 'sgd_dialogues.jsonl': '{"talk": []}' }), {
      message: /has turns under a known name; its keys are: talk/,
    })
    assert.match((await figures({}))[0]?.note ?? '', /absent/)
  })

  test('[S-10] right at every turn of the real dialogues', async (context) => {
    const data =
      process.env['ECHELON_DATA'] ??
      fileURLToPath(new URL('../../../../shared/data', import.meta.url))
    const [all, ...rest] = await askOrCallFigures(data)
    if (rest.length === 0) {
      return context.skip('the data set sgd_dialogues.jsonl is not on this machine')
    }
    assert.equal(all?.right, all?.counted, rest.map(({ note }) => note).join(' '))
  })
})
