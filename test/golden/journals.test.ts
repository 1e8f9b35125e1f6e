import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { journeying } from '../crash/journey-scenario.ts'
import { replayRun } from '../../packages/echelon/src/runtime/journal/replay.ts'
import { goldenJournals, goOn, makeJournals } from './journals.ts'

if (process.env['UPDATE_GOLDEN'] === '1') await makeJournals()

for (const journal of goldenJournals()) {
  const { scenario, entries } = journal

  test(`[C-31] a journal of ${scenario} returns its end again, and is not written to`, async (t) => {
    const again = await goOn(journal, await folderFor(t))
    const last = entries.at(-1)
    assert.ok(last?.type === 'ended')
    assert.equal(again.end.reason, last.reason)
    assert.deepEqual(again.entries, entries)
  })

  test(`[C-31] a journal of ${scenario} cut after any of its entries, resumes to the same end`, async (t) => {
    const { end } = await goOn(journal, await folderFor(t))
    const folder = await folderFor(t)
    for (let length = 1; length < entries.length; length++) {
      const own = join(folder, String(length))
      mkdirSync(own)
      const cut = await goOn({ scenario, entries: entries.slice(0, length) }, own)
      const where = `cut after ${length} entries`
      assert.deepEqual(cut.entries.slice(0, length), entries.slice(0, length), where)
      assert.equal(cut.end.reason, end.reason, where)
      assert.deepEqual(known(cut.end.result), known(end.result), where)
      assert.equal(cut.entries.filter(isEnd).length, 1, where)
    }
  })
}

test('a journal of a custom agent is replayed step by step', () => {
  const golden = goldenJournals().find(({ scenario }) => scenario === 'journey')
  const steps = [...replayRun(journeying, golden?.entries ?? [])]
  assert.deepEqual(
    steps.map(({ asked }) => asked.type),
    ['ask', 'generate', 'recall', 'call-tools', 'say', 'together', 'sleep', 'remember', 'generate'],
  )
})

const isEnd = (entry: Entry): boolean => entry.type === 'ended' && entry.path === ''

/** The outcome of an interrupted letter is unknown; session messages are in no journal. */
function known(result: unknown): unknown {
  if (typeof result === 'string') return result.replace(/the letter is \w+/, '')
  return typeof result === 'object' && result !== null && 'answers' in result
    ? result.answers
    : result
}
