import assert from 'node:assert/strict'
import type { Entry, Journal } from '../core/journal.ts'
import { casesOf, type ContractCase, JSON_VALUES, notCopied, ODD_NAMES } from './contract.ts'

/** What a test can do with a journal besides what a run does; each adds a case. */
export interface JournalTrial {
  /** The same journal as the next process opens it. */
  readonly reopen?: (journal: Journal) => Journal | Promise<Journal>
  /** Has the next append fail, such as by taking the folder away. */
  readonly obstruct?: (journal: Journal) => void | Promise<void>
}

/**
 * What every `Journal` must do, so that a crash loses nothing of a run:
 * `for (const { name, holds } of journalContract(open)) test(name, holds)`.
 * @param open a new, empty journal for each case
 */
export function journalContract(
  open: () => Journal | Promise<Journal>,
  { reopen, obstruct }: JournalTrial = {},
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a run that was never written has no entries', async (journal) => {
      assert.deepEqual(await journal.read('nobody'), [])
      await journal.append('somebody', [resumed(1)])
      assert.deepEqual(await journal.read('nobody'), [])
    }),
    caseOf('every kind of entry comes back as it was', async (journal) => {
      for (const entry of ENTRIES) await journal.append('r', [entry])
      assert.deepEqual(await journal.read('r'), ENTRIES)
    }),
    caseOf('entries come back in the order of their appends', async (journal) => {
      for (let at = 0; at < 30; at += 3) {
        await journal.append('r', [resumed(at), resumed(at + 1), resumed(at + 2)])
      }
      assert.deepEqual(timesOf(await journal.read('r')), [...Array(30).keys()])
    }),
    caseOf('runs are kept apart, whatever their ids', async (journal) => {
      for (const [at, id] of ODD_NAMES.entries()) await journal.append(id, [resumed(at)])
      for (const [at, id] of ODD_NAMES.entries()) {
        assert.deepEqual(timesOf(await journal.read(id)), [at], id)
      }
    }),
    caseOf('appends at once stay whole, and none is lost', async (journal) => {
      const starts = [...Array(10).keys()].map((nth) => nth * 3)
      const append = async (at: number): Promise<void> =>
        await journal.append('r', [resumed(at), resumed(at + 1), resumed(at + 2)])
      await Promise.all(starts.map(append))
      const times = timesOf(await journal.read('r'))
      // In which order is no matter: a run waits for one before it makes the next.
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
    caseOf('an append of nothing changes nothing', async (journal) => {
      await journal.append('r', [resumed(1)])
      await journal.append('r', [])
      assert.deepEqual(timesOf(await journal.read('r')), [1])
    }),
    caseOf('a list that is read or was written belongs to whoever has it', async (journal) => {
      const mine = [resumed(1)]
      await journal.append('r', mine)
      mine.push(resumed(2))
      Reflect.set(Object(await journal.read('r')), 'length', 0)
      const left = timesOf(await journal.read('r'))
      assert.deepEqual(left, [1], notCopied('append and read', 'list'))
    }),
    ...(reopen === undefined ? [] : [durable(open, reopen)]),
    ...(obstruct === undefined ? [] : [failing(open, obstruct)]),
  ]
}

const durable = (
  open: () => Journal | Promise<Journal>,
  reopen: NonNullable<JournalTrial['reopen']>,
): ContractCase =>
  casesOf(open)('what was appended is there for whoever opens it next', async (journal) => {
    for (const entry of ENTRIES) await journal.append('r', [entry])
    const next = await reopen(journal)
    assert.deepEqual(await next.read('r'), ENTRIES)
    await next.append('r', [resumed(99)])
    assert.deepEqual(await next.read('r'), [...ENTRIES, resumed(99)])
  })

const failing = (
  open: () => Journal | Promise<Journal>,
  obstruct: NonNullable<JournalTrial['obstruct']>,
): ContractCase =>
  casesOf(open)('an append that fails throws, and none of it is there', async (journal) => {
    await journal.append('r', [resumed(1)])
    await obstruct(journal)
    await assert.rejects(async () => await journal.append('r', [resumed(2), resumed(3)]))
    // It may be that nothing can be read by now either.
    const reading = async (): Promise<readonly Entry[]> => await journal.read('r')
    const left = timesOf(await reading().catch(() => []))
    assert.ok(
      left.every((at) => at === 1),
      'an append that fails must leave none of its entries: write all of them at once, or take them back',
    )
  })

const resumed = (at: number): Entry => ({ type: 'resumed', charged: {}, at })

const timesOf = (entries: readonly Entry[]): readonly number[] =>
  entries.map((entry) => (entry.type === 'resumed' ? entry.at : -1))

const AT = 1_757_300_000_000

const ENTRIES: readonly Entry[] = [
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
  },
  { type: 'opened', path: '', seq: 0, hold: { money: 0.0123 } },
  { type: 'intended', path: '1.0/', seq: 1, call: 0, key: 'r:1.0' },
  { type: 'settled', path: '', seq: 1, call: 0, outcome: { type: 'ok', value: { a: [1] } } },
  { type: 'requested', path: '', seq: 2, request: 'q', about: { question: '?' }, at: AT },
  { type: 'replied', request: 'q', reply: 'ä😀', at: AT },
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
  { type: 'resumed', charged: { money: 0.01 }, at: AT },
  { type: 'ended', path: '', status: 'finished', reason: 'stop', at: AT, text: '' },
]
