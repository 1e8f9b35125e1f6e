import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { benchAverages, seriesOf } from './averages.ts'
import type { Row } from './row.ts'

async function bench(rows: readonly unknown[]): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'averages-'))
  try {
    await writeFile(join(folder, 'set.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
    return await benchAverages(folder, 'set.jsonl')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const dates = Array.from({ length: 8 }, (_, index) => `2015-02-1${index}`)

suite('averages of a data set', () => {
  test('a day a row, or a series a row, under several names and in any order', () => {
    const day = [[{ date: '2015-02-17', close: 127.83 }]]
    assert.deepEqual(seriesOf([{ date: '2015-02-17', close: 127.83 }]), day)
    assert.deepEqual(seriesOf([{ Date: '2015-02-17T00:00:00', 'AAPL.Close': '127.83' }]), day)
    assert.deepEqual(seriesOf([{ series: [{ date: '2015-02-17', Close: 127.83 }] }]), day)
    assert.deepEqual(seriesOf([{ date: '17/2/2015', close: 1 }, { date: '2015-02-17' }]), [])
    const [series = []] = seriesOf(dates.toReversed().map((date) => ({ date, close: 1, SMA7: 1 })))
    assert.deepEqual(
      series,
      dates.map((date) => ({ date, close: 1, ma7: 1 })),
    )
  })

  test('each day is compared with a plain sum, and with the average of the file', async () => {
    const rows = dates.map((date, index) => ({ date, close: index + 0.1 }))
    const { seconds, ...row } = await bench(rows)
    assert.ok(seconds > 0)
    assert.deepEqual(row, { set: 'set.jsonl', rows: 8, counted: 8, right: 8 })
    const withOwn = rows.map((day, index) => ({ ...day, ma7: index === 7 ? 4.2 : index - 2.9 }))
    assert.partialDeepStrictEqual(await bench(withOwn), { counted: 8, right: 7 })
  })

  test('no day makes an error which names the keys', async () => {
    const unusable = { code: 'INVALID_INPUT', message: /its keys are: day, price_in_dollars/ }
    await assert.rejects(bench([{ day: '2015-02-17', price_in_dollars: 1 }]), unusable)
  })
})
