import assert from 'node:assert/strict'
import type { Entry, Journal } from '../../../core/journal/journal.ts'
import type { Snapshot } from '../../../core/journal/snapshot.ts'
import { casesOf, type ContractCase, JSON_VALUES, notCopied, ODD_NAMES } from '../../contract.ts'

/** Test actions on a journal besides those of a run; each adds a case. */
export interface JournalTrial {
  /** The same journal, opened by the next process. */
  readonly reopen?: (journal: Journal) => Journal | Promise<Journal>
  /** Makes the next append fail, for example by removing the folder. */
  readonly obstruct?: (journal: Journal) => void | Promise<void>
}

/**
 * The requirements of every `Journal`, so that a crash loses nothing of a run: `for (const { name,
 * holds } of journalContract(open)) test(name, holds)`.
 * @param open a new, empty journal for each case
 */
export function journalContract(
  open: () => Journal | Promise<Journal>,
  trial: JournalTrial = {},
): readonly ContractCase[] {
  return [...keeping(open), ...whole(open), ...handing(open), ...trials(open, trial)]
}

type Open = () => Journal | Promise<Journal>

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an unknown run has no entries', async (journal) => {
      assert.deepEqual(await journal.read('nobody'), [])
      await journal.append('somebody', [started('somebody')])
      assert.deepEqual(await journal.read('nobody'), [])
    }),
    caseOf('entries of every kind are returned unchanged', async (journal) => {
      await writeAll(journal)
      assert.deepEqual(await journal.read('r'), ENTRIES)
    }),
    caseOf('entries are returned in append order', async (journal) => {
      await journal.append('r', [started('r')])
      for (let at = 0; at < 30; at += 3) {
        await journal.append('r', [bound(at), bound(at + 1), bound(at + 2)])
      }
      assert.deepEqual(timesOf(await journal.read('r')), [...Array(30).keys()])
    }),
    caseOf('runs with any ids are distinct', async (journal) => {
      for (const [at, id] of ODD_NAMES.entries()) {
        await journal.append(id, [started(id), bound(at)])
      }
      for (const [at, id] of ODD_NAMES.entries()) {
        assert.deepEqual(timesOf(await journal.read(id)), [at], id)
      }
    }),
  ]
}

function whole(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('concurrent appends stay atomic, and none is lost', async (journal) => {
      await journal.append('r', [started('r')])
      const starts = [...Array(10).keys()].map((nth) => nth * 3)
      const append = async (at: number): Promise<void> =>
        await journal.append('r', [bound(at), bound(at + 1), bound(at + 2)])
      await Promise.all(starts.map(append))
      const times = timesOf(await journal.read('r'))
      // Their order does not matter, since a run waits for one append before the next.
      const firsts = starts.map((place) => times[place] ?? -1)
      assert.deepEqual(
        firsts.flatMap((at) => [at, at + 1, at + 2]),
        times,
      )
      assert.deepEqual(
        firsts.toSorted((a, b) => a - b),
        starts,
      )
    }),
    caseOf('an empty append changes nothing', async (journal) => {
      await journal.append('r', [started('r'), bound(1)])
      await journal.append('r', [])
      assert.deepEqual(timesOf(await journal.read('r')), [1])
    }),
    caseOf('changes to a written or returned list do not affect the journal', async (journal) => {
      const mine = [started('r'), bound(1)]
      await journal.append('r', mine)
      mine.push(bound(2))
      Reflect.set(Object(await journal.read('r')), 'length', 0)
      const left = timesOf(await journal.read('r'))
      assert.deepEqual(left, [1], notCopied('append and read', 'list'))
    }),
  ]
}

/** Optional features, tested only if the journal has them. */
function handing(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a run is left and resumed', async (journal) => {
      journal.leave?.('nobody', { type: 'over' })
      await journal.append('r', [started('r')])
      const forget = journal.follow?.('r', () => assert.fail('nothing was recorded'))
      journal.leave?.('r', { type: 'suspended', wakeAt: AT })
      forget?.()
      journal.leave?.('r', { type: 'over' })
      await journal.append('r', [resumed(1)])
      await journal.append('r', [bound(1)])
      assert.deepEqual(
        (await journal.read('r')).map(({ type }) => type),
        ['started', 'resumed', 'bound'],
      )
    }),
    caseOf('the newest snapshot is returned and changes no entry', async (journal) => {
      assert.equal(await journal.snapshot?.('r'), undefined)
      await journal.append('r', [started('r')], { snapshot: snapshotAt(1) })
      await journal.append('r', [bound(1)], { snapshot: snapshotAt(2) })
      await journal.append('r', [bound(2)])
      if (journal.snapshot !== undefined) {
        assert.deepEqual(await journal.snapshot('r'), snapshotAt(2))
        assert.equal(await journal.snapshot('s'), undefined)
      }
      assert.deepEqual(timesOf(await journal.read('r')), [1, 2])
    }),
  ]
}

const trials = (open: Open, { reopen, obstruct }: JournalTrial): readonly ContractCase[] => [
  ...(reopen === undefined ? [] : [durable(open, reopen)]),
  ...(obstruct === undefined ? [] : [failing(open, obstruct)]),
]

const durable = (open: Open, reopen: NonNullable<JournalTrial['reopen']>): ContractCase =>
  casesOf(open)('appended entries are there when it is opened again', async (journal) => {
    await writeAll(journal, BEFORE_THE_END)
    await journal.append('r', [bound(0)], { snapshot: snapshotAt(1) })
    journal.leave?.('r', { type: 'over' })
    const next = await reopen(journal)
    const entries = [...BEFORE_THE_END, bound(0)]
    assert.deepEqual(await next.read('r'), entries)
    if (next.snapshot !== undefined) assert.deepEqual(await next.snapshot('r'), snapshotAt(1))
    const goesOn = resumed(entries.length)
    await next.append('r', [goesOn])
    assert.deepEqual(await next.read('r'), [...entries, goesOn])
  })

const failing = (open: Open, obstruct: NonNullable<JournalTrial['obstruct']>): ContractCase =>
  casesOf(open)('a failed append throws and writes nothing', async (journal) => {
    await journal.append('r', [started('r'), bound(1)], { snapshot: snapshotAt(1) })
    await obstruct(journal)
    const beside = { snapshot: snapshotAt(2) }
    await assert.rejects(async () => await journal.append('r', [bound(2), bound(3)], beside))
    // Reading may fail as well at this point.
    const reading = async (): Promise<readonly Entry[]> => await journal.read('r')
    const left = timesOf(await reading().catch(() => []))
    assert.ok(
      left.every((at) => at === 1),
      'a failed append must leave none of its entries: write them atomically, or remove them',
    )
    const looking = async (): Promise<Snapshot | undefined> => await journal.snapshot?.('r')
    const found = await looking().catch(() => undefined)
    assert.notDeepEqual(found, snapshotAt(2), 'a failed append must not store its snapshot')
  })

/** One append at a time, as for a run that is resumed in between. */
async function writeAll(journal: Journal, entries: readonly Entry[] = ENTRIES): Promise<void> {
  for (const entry of entries) {
    if (entry.type === 'resumed') journal.leave?.('r', { type: 'over' })
    await journal.append('r', [entry])
  }
}

const started = (runId: string): Entry => ({
  type: 'started',
  path: '',
  runId,
  agent: 'chat',
  version: 1,
  input: null,
  at: AT,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
})

/** An entry with only a time. */
const bound = (at: number): Entry => ({
  type: 'bound',
  path: '',
  role: 'main',
  model: 'openai/gpt-5-nano',
  at,
})

const resumed = (after: number): Entry => ({ type: 'resumed', charged: {}, at: AT, after })

const timesOf = (entries: readonly Entry[]): readonly number[] =>
  entries.flatMap((entry) => (entry.type === 'bound' ? [entry.at] : []))

const snapshotAt = (after: number): Snapshot => ({
  agent: 'chat',
  version: 1,
  seq: 1,
  after,
  state: { values: JSON_VALUES },
  spent: { money: 0.1 },
  models: { main: 'openai/gpt-5-nano' },
  at: AT,
})

const AT = 1_757_300_000_000

const BEFORE_THE_END: readonly Entry[] = [
  {
    type: 'started',
    path: '',
    runId: 'r',
    agent: 'chat',
    version: 1,
    input: [...JSON_VALUES],
    at: AT,
    seed: 1,
    timeZone: 'UTC',
    models: { main: 'openai/gpt-5-nano' },
    limits: { money: 0.1 },
    session: { id: 's', length: 2, digest: 7 },
    made: { options: ['-v', null] },
    forkedFrom: { run: 'q', at: 3 },
  },
  { type: 'opened', path: '', seq: 0, hold: { money: 0.0123 } },
  { type: 'intended', path: '1.0/', seq: 1, call: 0, key: 'r:1.0' },
  { type: 'settled', path: '', seq: 1, call: 0, outcome: { type: 'ok', value: { a: [1] } } },
  {
    type: 'requested',
    path: '',
    seq: 2,
    request: 'q',
    about: { question: '?' },
    at: AT,
    until: AT + 1,
  },
  { type: 'replied', request: 'q', reply: 'ä😀', at: AT, by: 'ada' },
  { type: 'cancel-asked', by: 'shutdown', at: AT },
  {
    type: 'closed',
    path: '',
    seq: 2,
    digest: 4_294_967_295,
    seen: { type: 'answered', reply: null },
    at: AT,
    spent: { steps: 3 },
    states: { 'app/counter': { count: 1 } },
  },
  { type: 'bound', path: '', role: 'main', model: 'anthropic/claude', at: AT },
  { type: 'resumed', charged: { money: 0.01 }, at: AT, after: 9 },
]

const ENTRIES: readonly Entry[] = [
  ...BEFORE_THE_END,
  { type: 'ended', path: '', status: 'finished', reason: 'stop', at: AT, text: '' },
]
