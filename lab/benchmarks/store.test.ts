import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { STORE_BARS, type StoreMeasured } from './store/bars.ts'
import { bytesWritten } from './store/bytes-written.ts'
import { STORE_FIGURES } from './store/figures.ts'
import { exceeding, STORE_GUARDED } from './store/guard.ts'
import { appendsOf } from './store/run-entries.ts'
import { storeTable } from './store/table.ts'

describe('[C-31] the benchmark of the store', () => {
  test('reports for each figure whether its bar is met, and the factor if not', () => {
    const measured: readonly StoreMeasured[] = [
      { bar: 'step', found: 1.25, note: 'a note' },
      { bar: 'open', found: 15 },
      { bar: 'agent', found: 80, langgraph: 2500 },
    ]
    const [head = '', ...rows] = storeTable(measured).split('\n')
    assert.match(head, /^figure +echelon +langgraph +bar +met +note$/)
    assert.match(rows[0] ?? '', /1\.25 x +<= 1\.50 x +yes +a note$/)
    assert.match(rows[1] ?? '', /15\.0 ms +<= 10\.0 ms +no, 1\.50 x the bar$/)
    assert.match(rows[2] ?? '', /80\.0 µs +2,500 µs +none$/)
  })

  test('guards its figures, and fails on one that is not a number', () => {
    for (const name of STORE_GUARDED) {
      assert.ok(STORE_FIGURES[name] !== undefined && STORE_BARS[name].most !== undefined)
    }
    const fine: readonly StoreMeasured[] = [
      { bar: 'step', found: 1.6 },
      { bar: 'growth', found: 1.2 },
      { bar: 'agent', found: 1e9 },
    ]
    assert.deepEqual(exceeding(fine), [])
    const beyond: readonly StoreMeasured[] = [
      { bar: 'step', found: NaN },
      { bar: 'growth', found: 1.4 },
    ]
    assert.deepEqual(exceeding(beyond), ['step', 'growth'])
  })

  test('measures steps that append only new entries', async () => {
    const appends = await appendsOf(40)
    assert.equal(appends.length, 42)
    for (const entries of appends.slice(1, -1)) {
      assert.deepEqual(
        entries.map(({ type }) => type),
        entries[0]?.type === 'closed' && entries.length > 1 ? ['closed', 'opened'] : ['closed'],
      )
    }
    const length = (step: number): number => JSON.stringify(appends[step]).length
    assert.ok(length(35) < length(5) * 1.2 && length(36) < length(6) * 1.2)
  })

  test(
    'counts the bytes that were handed to the system',
    { skip: bytesWritten() === undefined && 'only Linux counts them' },
    () => {
      const folder = mkdtempSync(`${tmpdir()}/echelon-written-`)
      const before = bytesWritten() ?? NaN
      writeFileSync(`${folder}/a`, 'x'.repeat(100_000))
      const written = (bytesWritten() ?? NaN) - before
      rmSync(folder, { recursive: true })
      assert.ok(written >= 100_000 && written < 200_000, String(written))
    },
  )
})
