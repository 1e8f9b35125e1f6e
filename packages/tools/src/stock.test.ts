import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isRecord } from '../../echelon/src/core/value/json.ts'
import { validate } from '../../echelon/src/core/schema/schema.ts'
import type { ToolContext } from '../../echelon/src/core/tool/tool.ts'
import { dataFetchStock, stockTool } from './stock.ts'
import type { StockSource } from './stock/source.ts'

const context: ToolContext = {
  key: 'test',
  signal: new AbortController().signal,
  at: 0,
  timeZone: 'UTC',
  artifacts: { write: () => Promise.reject(new Error('no file is written')) },
  progress: () => undefined,
}

const fetchStock = async (
  ticker: string,
  n: number,
): Promise<Readonly<Record<string, unknown>>> => {
  const result = await dataFetchStock.run({ ticker, n }, context)
  assert.ok(isRecord(result))
  return result
}

suite('data_fetch_stock', () => {
  test('[DD-6] [R5.3] returns the latest n trading days, ascending, with the owner of the data', async () => {
    assert.deepEqual(await fetchStock('AAPL', 2), {
      series: [
        { date: '2018-05-10', close: 190.039993 },
        { date: '2018-05-11', close: 188.589996 },
      ],
      kind: 'data',
      source: 'Yahoo! Finance, by way of @observablehq/sample-datasets (ISC)',
      from: '2018-05-10',
      to: '2018-05-11',
    })
  })

  test('[DD-6] returns any number of days up to all available', async () => {
    for (const n of [1, 30, 1260]) {
      const { series } = await fetchStock('aapl', n)
      assert.ok(Array.isArray(series))
      assert.equal(series.length, n)
    }
    const { series, from } = await fetchStock('AAPL', 1260)
    assert.equal(from, '2013-05-13')
    assert.ok(Array.isArray(series))
    const dates = series.map((day: { date: string }) => day.date)
    assert.deepEqual(dates, [...new Set(dates)].toSorted())
  })

  test('names what is available for an unknown ticker or too many days', async () => {
    await assert.rejects(fetchStock('MSFT', 30), {
      code: 'INVALID_ARGS',
      message: 'the sample data has no prices of MSFT, only of AAPL',
    })
    await assert.rejects(fetchStock('AAPL', 1261), {
      code: 'INVALID_ARGS',
      message: /1260 trading days of AAPL, 2013-05-13 to 2018-05-11; ask for at most 1260/,
    })
  })

  test('takes any source, passes the ticker in capitals, and retries network failures', async () => {
    const requested: unknown[] = []
    const source: StockSource = {
      name: 'the test',
      attribution: 'Nobody',
      fetch: async (ticker, n) => {
        requested.push(ticker, n)
        return []
      },
    }
    const tool = stockTool(source)
    assert.equal(tool.retries, 2)
    await assert.rejects(async () => tool.run({ ticker: 'brk.b', n: 7 }, context), {
      code: 'INVALID_ARGS',
      message: 'the test has no closing price of BRK.B',
    })
    assert.deepEqual(requested, ['BRK.B', 7])
  })

  test('[DD-16] accepts only a ticker and a count', async () => {
    const fits = async (input: unknown) => (await validate(dataFetchStock.input, input)).ok
    for (const ticker of ['AAPL', 'aapl', 'BRK.B', '0700.HK', '^GSPC', 'EURUSD=X', 'BF-B']) {
      assert.ok(await fits({ ticker, n: 5_000 }), ticker)
    }
    for (const ticker of ['', '../x', 'A B', 'A/B', 'A;B', '.', 'A\n', 'x'.repeat(17), 7, null]) {
      assert.ok(!(await fits({ ticker, n: 1 })), String(ticker))
    }
    for (const n of [0, -1, 1.5, 5_001, '30', null, Infinity]) {
      assert.ok(!(await fits({ ticker: 'AAPL', n })), String(n))
    }
    assert.ok(!(await fits({ ticker: 'AAPL', n: 1, url: 'http://x' })))
  })
})
