import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { validate } from '../../echelon/src/core/schema/schema.ts'
import type { ToolContext } from '../../echelon/src/core/tool/tool.ts'
import { numericAnalysis } from './analysis.ts'

const context: ToolContext = {
  key: 'test',
  signal: new AbortController().signal,
  at: 0,
  timeZone: 'UTC',
  artifacts: { write: () => Promise.reject(new Error('an analysis writes no files')) },
  progress: () => undefined,
}

const days = (closes: readonly number[]): { date: string; close: number }[] =>
  closes.map((close, index) => ({
    date: new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(0, 10),
    close,
  }))

suite('numeric_analysis', () => {
  test('[DD-6] returns an average per day, null for the first six, and statistics', async () => {
    assert.equal(numericAnalysis.name, 'numeric_analysis')
    assert.deepEqual(
      await numericAnalysis.run({ series: days([1, 2, 3, 4, 5, 6, 7, 15]) }, context),
      {
        ma7: [null, null, null, null, null, null, 4, 6],
        stats: {
          count: 8,
          mean: 5.375,
          median: 4.5,
          min: 1,
          max: 15,
          stdev: Math.sqrt(133.875 / 7),
          first: 1,
          last: 15,
          change: 14,
          change_percent: 1400,
        },
        kind: 'data',
      },
    )
  })

  test('too few days for an average or a deviation are not an error', async () => {
    const [one, three] = await Promise.all([
      numericAnalysis.run({ series: days([0]) }, context),
      numericAnalysis.run({ series: days([3, 2, 1]) }, context),
    ])
    assert.partialDeepStrictEqual(one, {
      ma7: [null],
      stats: { stdev: null, change_percent: null },
    })
    assert.partialDeepStrictEqual(three, { ma7: [null, null, null], stats: { change: -2 } })
  })

  test('[DD-16] accepts only 1 to 10,000 ascending ISO days with finite closes', async () => {
    const message = async (series: unknown): Promise<string> => {
      const result = await validate(numericAnalysis.input, { series })
      return result.ok ? 'ok' : result.message
    }
    const [first, second] = days([1, 2])
    assert.equal(await message([first, second]), 'ok')
    assert.equal(await message(days(Array.from({ length: 10_000 }, () => 1))), 'ok')
    assert.equal(await message([second, first]), 'series.1.date: dates must ascend, each once')
    assert.equal(await message([first, first]), 'series.1.date: dates must ascend, each once')
    const wrong: unknown[] = [[], days(Array.from({ length: 10_001 }, () => 1)), 'x']
    wrong.push(
      [{ ...first, close: NaN }],
      [{ ...first, close: Infinity }],
      [{ ...first, close: 1e10 }],
    )
    wrong.push(
      [{ ...first, close: '1' }],
      [{ ...first, date: '2025-02-30' }],
      [{ date: '2025-01-01' }],
    )
    wrong.push([{ ...first, date: '1/2/2025' }], [{ ...first, volume: 1 }])
    for (const series of wrong) assert.notEqual(await message(series), 'ok')
  })

  test('analyzes 10,000 days within the limits', async () => {
    const series = days(Array.from({ length: 10_000 }, (_, index) => 100 + Math.sin(index)))
    assert.partialDeepStrictEqual(await numericAnalysis.run({ series }, context), {
      stats: { count: 10_000 },
    })
  })
})
