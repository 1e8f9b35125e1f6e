import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, Journal } from '../../core/journal/journal.ts'
import { JournalWriter } from './journal-writer.ts'

const entry = (at: number): Entry => ({ type: 'resumed', charged: {}, at })
const times = (entries: readonly Entry[]): number[] =>
  entries.flatMap((one) => (one.type === 'resumed' ? [one.at] : []))

/** Writes or fails on request. */
class SlowJournal implements Journal {
  readonly appends: number[][] = []
  readonly pending: PromiseWithResolvers<void>[] = []

  append(_runId: string, entries: readonly Entry[]): Promise<void> {
    this.appends.push(times(entries))
    const write = Promise.withResolvers<void>()
    this.pending.push(write)
    return write.promise
  }

  read(): readonly Entry[] {
    return []
  }
}

/** Writes and fails synchronously. */
const flushed = async (writer: JournalWriter): Promise<void> => await writer.flush()

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('pushed entries go into one append, in order, and none twice', async () => {
  const journal = new SlowJournal()
  const writer = new JournalWriter(journal, 'r')
  writer.push(entry(1))
  writer.push(entry(2))
  const flushed = writer.flush()
  await turn()
  assert.deepEqual(journal.appends, [[1, 2]])
  journal.pending[0]?.resolve()
  await flushed
  await writer.flush()
  assert.equal(journal.appends.length, 1, 'nothing to write, nothing written')
})

test('a flush resolves only when all entries pushed before it are durable', async () => {
  const journal = new SlowJournal()
  const writer = new JournalWriter(journal, 'r')
  const log: string[] = []
  writer.push(entry(1))
  const first = flushed(writer).then(() => log.push('first'))
  await turn()
  writer.push(entry(2))
  const second = flushed(writer).then(() => log.push('second'))
  const third = flushed(writer).then(() => log.push('third'))
  await turn()
  assert.deepEqual(journal.appends, [[1]], 'one append at a time')
  journal.pending[0]?.resolve()
  await turn()
  assert.deepEqual(log, ['first'])
  assert.deepEqual(journal.appends, [[1], [2]])
  journal.pending[1]?.resolve()
  await Promise.all([first, second, third])
  assert.deepEqual(log, ['first', 'second', 'third'])
})

test('a failed append is the last one, and every later flush fails with its error', async () => {
  const journal = new SlowJournal()
  const writer = new JournalWriter(journal, 'r')
  const broken = { code: 'JOURNAL_FAILED', message: /disk full.*fix the store and begin it again/ }
  writer.push(entry(1))
  const first = assert.rejects(flushed(writer), broken)
  const sibling = assert.rejects(flushed(writer), broken)
  await turn()
  journal.pending[0]?.reject(new Error('disk full'))
  await Promise.all([first, sibling])
  await assert.rejects(flushed(writer), broken, 'also with nothing to write')
  writer.push(entry(2))
  await assert.rejects(flushed(writer), broken)
  assert.deepEqual(journal.appends, [[1]])
})

test('a journal that throws synchronously counts as broken too', async () => {
  const journal: Journal = {
    append() {
      throw new Error('lost lease')
    },
    read: () => [],
  }
  const writer = new JournalWriter(journal, 'r')
  writer.push(entry(1))
  await assert.rejects(flushed(writer), { code: 'JOURNAL_FAILED', message: /lost lease/ })
})

test('without a journal nothing is kept', async () => {
  const writer = new JournalWriter(undefined, 'r')
  assert.ok(!writer.records)
  writer.push(entry(1))
  await writer.flush()
})
