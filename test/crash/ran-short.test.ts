import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openStore } from '@echelon/store'
import type { Kill } from './death.ts'
import { deedsOf, judgeAny, judgeSame, type Judged, ranShort } from './judge.ts'
import { lead, type Life } from './lives.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-short-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A world whose model fails the first call of each process; uninterrupted, the run makes 4 calls. */
const WORLD = { scenario: 'journey', faults: 14 }

/** After three calls, before the last. */
const LATE: Kill = { at: 'append', nth: 19, isWritten: true }

/** One run: uninterrupted, or killed once and resumed. */
async function runOf(run: string, calls?: number): Promise<Judged> {
  const limits = calls === undefined ? {} : { 'calls.small': calls }
  const life: Life = { run, ...WORLD, limits }
  const lives: readonly Life[] = calls === undefined ? [life] : [{ ...life, kill: LATE }, life]
  const { ends, killed } = await lead(folder, run, lives)
  assert.equal(killed, lives.length - 1)
  const lived = ends.get(lives.length - 1)
  assert.ok(lived !== undefined)
  const store = await openStore(join(folder, `${run}.db`))
  const entries = await store.runs.read(run)
  await store.close()
  return { run, ...WORLD, limits, entries, lived, deeds: deedsOf(folder, run) }
}

test('[C-31] a resumed run makes every call that its budget has left, and no more', async () => {
  const whole = await runOf('whole')
  assert.equal(whole.lived.end.spent['calls.small'], 4)

  // Both processes met a failure, so the run needs one call more than without interruption.
  const enough = await runOf('enough', 5)
  judgeAny(enough, 'enough')
  assert.equal(ranShort(enough), false)
  judgeSame(enough, whole, 'enough')

  // The last call failed, and the budget has none left to repeat it.
  const short = await runOf('short', 4)
  judgeAny(short, 'short')
  assert.equal(short.deeds.filter(({ tool }) => tool === 'model:small').length, 4)
  assert.equal(ranShort(short), true)
  assert.match(JSON.stringify(short.lived.end.result), /"type":"failed"}]$/)
})

test('a run that is charged for calls that were not made is detected', async () => {
  const { lived, ...judged } = await runOf('charged', 5)
  const spent = { ...lived.end.spent, 'calls.small': 6 }
  const end = { ...lived.end, spent }
  const more = { ...judged, limits: {}, lived: { ...lived, end, again: end } }
  assert.throws(() => judgeAny(more, 'charged'), /6 calls are charged, 5 were made and 0 may/)
})
