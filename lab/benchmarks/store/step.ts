import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../../packages/echelon/src/core/journal/journal.ts'
import { openStore } from '@echelon/store'
import { median, ratio } from '../agent/measure.ts'
import type { StoreMeasured } from './bars.ts'
import { inFolder } from './folder.ts'
import { appendsOf, STEPS } from './run-entries.ts'

/** A batch is one run; each contestant has its own file, and they take turns. */
const ROUNDS = 15

/**
 * The append of a step by the store, against a prepared insert of its bytes: equally durable, into a
 * table with the same keys, with JSON made in advance.
 */
export const step = (rounds: number = ROUNDS): Promise<readonly StoreMeasured[]> =>
  inFolder(async (folder) => {
    const appends = await appendsOf(STEPS)
    const ours = await openStore(join(folder, 'store.db'))
    const bare = bareTable(join(folder, 'bare.db'))
    const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (let round = -2; round < rounds; round++) {
      const found = { ours: 0, bare: 0 }
      const run = `run-${round}`
      // The first and last append start and end the run, so they are not steps.
      const steps = appends.slice(1, -1)
      void ours.runs.append(run, started(run, appends))
      bare.insert(run, 1, 2, JSON.stringify(appends[0]))
      const began = performance.now()
      for (const entries of steps) void ours.runs.append(run, entries)
      found.ours = ((performance.now() - began) * 1000) / steps.length
      const texts = steps.map((entries) => JSON.stringify(entries))
      const from = performance.now()
      for (const [index, text] of texts.entries()) bare.insert(run, index + 2, 2, text)
      found.bare = ((performance.now() - from) * 1000) / steps.length
      ours.runs.leave(run, { type: 'over' })
      // The first ones are warm-up.
      if (round < 0) continue
      times.ours.push(found.ours)
      times.bare.push(found.bare)
    }
    await ours.close()
    bare.close()
    const [of, to] = [median(times.ours), median(times.bare)]
    const note = `${of.toFixed(1)} µs against ${to.toFixed(1)}, ${averageLength(appends)} B of JSON`
    return [{ bar: 'step', found: ratio(times.ours, times.bare), note }]
  })

const started = (run: string, appends: readonly (readonly Entry[])[]): readonly Entry[] =>
  (appends[0] ?? []).map((entry) => (entry.type === 'started' ? { ...entry, runId: run } : entry))

const averageLength = (appends: readonly unknown[]): number =>
  Math.round(JSON.stringify(appends).length / appends.length)

function bareTable(path: string) {
  const db = new DatabaseSync(path)
  db.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table journal (run text not null, n integer not null, fence integer, size integer not null,
      entries_json text not null, primary key (run, n))`)
  const put = db.prepare('insert into journal values (?, ?, 1, ?, ?)')
  return {
    insert: (run: string, n: number, size: number, text: string) => put.run(run, n, size, text),
    close: () => db.close(),
  }
}
