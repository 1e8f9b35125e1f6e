import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import type { ImageFacts } from '../../../../core/tool/artifact.ts'
import { isJsonObject, type Json } from '../../../../core/value/json.ts'
import type { ToolCall, ToolOutcome } from '../../../../core/tool/tool.ts'
import type { Evidence } from '../../state.ts'
import type { Verdict } from '../../verification/verdict.ts'
import { type Round, Verification } from '../../verification/verification.ts'
import { stock, type StockClaim } from './stock.ts'

const VERIFICATION = new Verification([stock])
type Row = { readonly date: string; readonly close: number }

const CLAIM: StockClaim = {
  kind: 'stock',
  ticker: 'AAPL',
  rows: 30,
  average: true,
  window: 7,
  extremes: [],
  plot: true,
}

const rising = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, nth) => ({
    date: new Date(Date.UTC(2025, 7, 1 + nth)).toISOString().slice(0, 10),
    close: 100 + nth * 1.37,
  }))

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const ma7Of = (series: readonly Row[]): readonly (number | null)[] =>
  series.map((_, nth) =>
    nth < 6 ? null : meanOf(series.slice(nth - 6, nth + 1).map(({ close }) => close)),
  )

const analysisOf = (series: readonly Row[]): Json => ({
  ma7: ma7Of(series),
  stats: {
    mean: meanOf(series.map(({ close }) => close)),
    max: Math.max(...series.map(({ close }) => close)),
    min: Math.min(...series.map(({ close }) => close)),
  },
  kind: 'data',
})

const did = (tool: string, input: Json, outcome: ToolOutcome): Evidence => ({
  at: 0,
  rung: 0,
  round: 0,
  call: { id: '0.0.1', tool, input },
  outcome,
})
const ok = (value: Json): ToolOutcome => ({ type: 'ok', value })

const fetched = (series: readonly Row[], ticker = 'AAPL'): Evidence =>
  did('data_fetch_stock', { ticker, n: series.length }, ok({ series, kind: 'data' }))

const analyzed = (series: readonly Row[], given: Json = analysisOf(series)): Evidence =>
  did('numeric_analysis', { series }, ok(given))

const DRAWN: ImageFacts = { width: 640, height: 480, ink: 0.1 }

function plotted(series: readonly Row[], ma7: Json, image: ImageFacts | null = DRAWN): Evidence {
  const file = { name: 'p.png', path: '/p.png', mediaType: 'image/png', bytes: 9, sha256: 'ab' }
  return did(
    'plotter',
    { series, ma7 },
    {
      type: 'ok',
      value: { image_path: '/p.png', kind: 'file' },
      artifacts: [image === null ? file : { ...file, image }],
    },
  )
}

/** Answers the checks truthfully, so that only the plan is judged. */
function verdictOf(
  ran: readonly Evidence[],
  claim: Partial<StockClaim> = {},
  stockThreshold = 0.95,
  goldAnswer: string | null = null,
): Verdict {
  const round: Round = {
    task: {
      input: 'task',
      expectedTools: [],
      goldAnswer,
      seed: null,
      unchecked: 'answer',
      rules: 2,
      today: '2025-09-08',
      timeZone: 'UTC',
      runId: 'run',
    },
    claim: { ...CLAIM, ...claim },
    ran,
    thresholds: { stock: stockThreshold },
  }
  return VERIFICATION.judge(round, VERIFICATION.checks(round).map(recompute))
}

function recompute({ tool, input }: ToolCall): ToolOutcome {
  assert.equal(tool, 'numeric_analysis')
  const series: readonly Row[] = Object(input).series
  return ok(analysisOf(series))
}

const SERIES = rising(30)
const COMPLETE = [fetched(SERIES), analyzed(SERIES), plotted(SERIES, ma7Of(SERIES))]

suite('a stock task', () => {
  test('[R5.3, DD-8] passes with all rows, averages that recompute, and a plot of them', () => {
    const verdict = verdictOf(COMPLETE)
    assert.deepEqual([verdict.passed, verdict.metric, verdict.binary], [true, 1, false])
    assert.equal(
      verdict.reason,
      'rows 100 %, averages 100 %, plot 100 %, as of Saturday, August 30, 2025',
    )
    assert.equal(
      verdict.answer,
      'AAPL, 30 trading days, Friday, August 1, 2025 to Saturday, August 30, 2025: ' +
        'the closing price went from $100.00 to $139.73. ' +
        'The data ends on Saturday, August 30, 2025. The 7-day average ends at $135.62. ' +
        'Plot: /p.png',
    )
  })

  test('[DD-9] has a graded metric: the mean of rows, averages and plot', () => {
    const half = rising(15)
    const [rows, averages] = [fetched(half), analyzed(half)]
    assert.equal(verdictOf([rows]).metric, 0.5 / 3)
    assert.equal(verdictOf([rows, averages]).metric, 1.5 / 3)
    assert.equal(verdictOf([rows, averages, plotted(half, ma7Of(half))]).metric, 2.5 / 3)
    assert.equal(verdictOf([fetched(SERIES)], { average: false, plot: false }).metric, 1)
  })

  test('[DD-9] passes at the threshold, not below it', () => {
    const ma7 = ma7Of(SERIES).map((value, nth) => (nth === 10 ? 1 : value))
    const ran = [fetched(SERIES), analyzed(SERIES, { ma7 }), plotted(SERIES, ma7)]
    const metric = (1 + 29 / 30 + 1) / 3
    assert.equal(verdictOf(ran, {}, metric).metric, metric)
    assert.equal(verdictOf(ran, {}, metric).passed, true)
    assert.equal(verdictOf(ran, {}, metric + 1e-9).passed, false)
  })

  test('[DD-9] needs exactly the rows asked for, whatever the threshold', () => {
    for (const [count, reason] of [
      [29, /^29 trading days were fetched, and 30 asked for; rows 97 %/],
      [26, /^26 trading days were fetched, and 30 asked for/],
      [1, /^1 trading day was fetched, and 30 asked for/],
      [31, /^31 trading days were fetched, and 30 asked for/],
    ] as const) {
      const rows = rising(count)
      const verdict = verdictOf([fetched(rows)], { average: false, plot: false }, 0)
      assert.equal(verdict.passed, false, String(count))
      assert.match(verdict.reason, reason)
    }
  })

  test('[DD-9] needs the average that its answer states, whatever the threshold', () => {
    const last = (value: number): Evidence =>
      analyzed(SERIES, { ma7: ma7Of(SERIES).with(29, value), stats: { mean: 1, max: 1, min: 100 } })
    const reason = (claim: Partial<StockClaim>): string => {
      const verdict = verdictOf([fetched(SERIES), last(1)], { plot: false, ...claim }, 0)
      assert.equal(verdict.passed, false)
      return verdict.reason
    }
    assert.match(reason({}), /^the average is not that of the rows; rows 100 %/)
    assert.match(reason({ window: null }), /^the average is not/)
    const extremes = ['max', 'min'] as const
    assert.match(reason({ average: false, extremes }), /^the highest or lowest price is not/)
    assert.equal(verdictOf([fetched(SERIES)], { plot: false }, 0).passed, false)
  })

  test('[DD-9] an average counts by the share of it that recomputes', () => {
    const ma7 = ma7Of(SERIES).map((value, nth) => (nth >= 20 && value !== null ? value + 1 : value))
    const verdict = verdictOf([fetched(SERIES), analyzed(SERIES, { ma7 }), plotted(SERIES, ma7)])
    assert.equal(verdict.metric, (1 + 20 / 30 + 1) / 3)
    assert.equal(verdict.passed, false)
  })

  test('[DD-8] with a known answer, needs it in the report besides the evidence', () => {
    assert.equal(verdictOf(COMPLETE, {}, 0.95, 'AAPL').passed, true)
    assert.equal(verdictOf(COMPLETE, {}, 0.95, 'a rise').passed, false)
  })
})

test('[DD-8] an answer of one price names the last day of the data', () => {
  const { answer } = verdictOf([fetched(rising(1))], { rows: 1, average: false, plot: false })
  assert.equal(
    answer,
    'AAPL closed at $100.00 on Friday, August 1, 2025. The data ends on Friday, August 1, 2025.',
  )
})

suite('a stock task is refused', () => {
  test('[DD-8] if the plot shows a line that was not computed, or has another name', () => {
    const [data, , drawn] = COMPLETE
    assert.ok(data !== undefined && drawn !== undefined && isJsonObject(drawn.call.input))
    const { input } = drawn.call
    const plot = (change: Readonly<Record<string, Json>>): Evidence => ({
      ...drawn,
      call: { ...drawn.call, input: { ...input, ...change } },
    })
    const claim = { average: false, window: null }
    const none = SERIES.map(() => null)
    const passes = (change: Readonly<Record<string, Json>>): boolean =>
      verdictOf([data, plot(change)], claim).passed
    assert.equal(passes({ ma7: none }), true)
    assert.equal(passes({ ma7: SERIES.map(() => 5) }), false)
    assert.equal(passes({ ma7: none, title: 'AAPL closing price (USD)' }), true)
    assert.equal(passes({ ma7: none, title: 'TSLA, Tesla: last 30 days' }), false)
    assert.equal(passes({ ma7: none, title: 'AAPL against TSLA' }), false)
    assert.equal(passes({ ma7: none, title: 'Closing prices' }), false)
  })

  test('[DD-8] for another ticker, however complete', () => {
    const verdict = verdictOf([fetched(SERIES, 'MSFT'), ...COMPLETE.slice(1)])
    assert.deepEqual([verdict.passed, verdict.metric, verdict.answer], [false, 0, null])
    assert.equal(verdict.reason, 'no closing prices of AAPL were fetched')
    assert.equal(verdictOf([fetched(SERIES, 'aapl'), ...COMPLETE.slice(1)]).passed, true)
  })

  test('[DD-8] with averages that are off by one day', () => {
    const shifted = [null, ...ma7Of(SERIES).slice(0, -1)]
    const ran = [fetched(SERIES), analyzed(SERIES, { ma7: shifted }), plotted(SERIES, shifted)]
    assert.equal(verdictOf(ran).passed, false)
  })

  test('[DD-8] with averages over another window, or over an incomplete one', () => {
    const full = ma7Of(SERIES)
    const early = SERIES.map((_, nth) => full[nth] ?? 100)
    for (const ma7 of [full.slice(1), early, [], 'all of them']) {
      assert.equal(
        verdictOf([fetched(SERIES), analyzed(SERIES, { ma7 })], { plot: false }).passed,
        false,
      )
    }
    assert.equal(verdictOf(COMPLETE, { window: 5 }).passed, false)
  })

  test('[DD-8] with a plot that is blank, not an image, or was never drawn', () => {
    const ma7 = ma7Of(SERIES)
    const drawn = [fetched(SERIES), analyzed(SERIES)]
    for (const image of [null, { ...DRAWN, ink: 0 }, { ...DRAWN, ink: 0.004 }]) {
      const verdict = verdictOf([...drawn, plotted(SERIES, ma7, image)])
      assert.equal(verdict.passed, false)
      assert.equal(verdict.reason, 'rows 100 %, averages 100 %, plot 0 %')
    }
    const lost = did('plotter', { series: SERIES, ma7 }, ok({ image_path: '/p.png' }))
    assert.equal(verdictOf([...drawn, lost]).passed, false)
    assert.equal(verdictOf(drawn).passed, false)
  })

  test('[DD-8] with a plot of other data', () => {
    const other = SERIES.with(3, { date: '2025-08-04', close: 1 })
    const drawn = [fetched(SERIES), analyzed(SERIES)]
    assert.equal(verdictOf([...drawn, plotted(other, ma7Of(SERIES))]).passed, false)
    assert.equal(verdictOf([...drawn, plotted(SERIES, ma7Of(other))]).passed, false)
  })

  test('[DD-8] with more rows than requested, which answer another question', () => {
    const more = rising(31)
    const ran = [fetched(more), analyzed(more), plotted(more, ma7Of(more))]
    assert.equal(verdictOf(ran).passed, false)
  })

  test('[DD-8] with the mean of other rows, if one mean is requested', () => {
    const claim = { window: null, plot: false }
    assert.equal(verdictOf([fetched(SERIES), analyzed(SERIES)], claim).passed, true)
    assert.match(
      verdictOf([fetched(SERIES), analyzed(SERIES)], claim).answer ?? '',
      /The average is \$119\.86\.$/,
    )
    for (const count of [29, 31]) {
      const rows = rising(count)
      assert.equal(verdictOf([fetched(rows), analyzed(rows)], claim).passed, false)
    }
    const wrong = { stats: { mean: 119 } }
    assert.equal(verdictOf([fetched(SERIES), analyzed(SERIES, wrong)], claim).passed, false)
  })

  test('with invalid rows: repeated, out of order, or without a price', () => {
    const claim = { average: false, plot: false, rows: 3 }
    const rows = (...series: readonly Json[]): Evidence =>
      did('data_fetch_stock', { ticker: 'AAPL', n: 3 }, ok({ series }))
    const [a, b, c] = rising(3)
    assert.ok(a !== undefined && b !== undefined && c !== undefined)
    assert.equal(verdictOf([rows(a, b, c)], claim).metric, 1)
    assert.equal(verdictOf([rows(a, b, b)], claim).metric, 2 / 3)
    assert.equal(verdictOf([rows(c, b, a)], claim).metric, 1 / 3)
    assert.equal(
      verdictOf([rows(a, { ...b, close: 0 }, { date: c.date }, 'x')], claim).metric,
      1 / 3,
    )
    assert.equal(verdictOf([rows()], claim).metric, 0)
  })

  test('[DD-8] with a repeated row, even if the number of others is right', () => {
    const [first] = SERIES
    assert.ok(first !== undefined)
    const verdict = verdictOf([fetched([first, ...SERIES])], { average: false, plot: false }, 0)
    assert.equal(verdict.passed, false)
    assert.match(verdict.reason, /^1 of the 31 rows are no closing prices/)
  })

  test('[DD-8] with an average over fewer days than it needs', () => {
    const rows = rising(5)
    const claim = { rows: 5, plot: false }
    const verdict = verdictOf([fetched(rows), analyzed(rows)], claim, 0)
    assert.deepEqual([verdict.passed, verdict.metric], [false, 0.5])
  })

  test('[DD-9] extremes count by the share that recomputes, over all requested rows', () => {
    const claim: Partial<StockClaim> = { average: false, plot: false, extremes: ['max', 'min'] }
    const given = (max: number, min: number): Evidence =>
      analyzed(SERIES, { stats: { max, min, mean: 0 } })
    const [low, high] = [100, 100 + 29 * 1.37]
    const verdict = verdictOf([fetched(SERIES), given(high, low)], claim)
    assert.deepEqual(
      [verdict.metric, verdict.reason],
      [1, 'rows 100 %, extremes 100 %, as of Saturday, August 30, 2025'],
    )
    assert.match(verdict.answer ?? '', / Closing prices: highest \$139\.73, lowest \$100\.00\.$/)
    assert.equal(verdictOf([fetched(SERIES), given(high, low + 1)], claim).metric, 0.75)
    assert.equal(verdictOf([fetched(SERIES)], claim).metric, 0.5)
    const half = rising(15)
    assert.equal(verdictOf([fetched(half), given(high, low)], claim).metric, 0.25)
  })

  test('and gives the message of the last failed tool', () => {
    const failed: ToolOutcome = { type: 'error', code: 'NET_TIMEOUT', message: 'no answer' }
    const verdict = verdictOf([did('data_fetch_stock', { ticker: 'AAPL' }, failed)])
    assert.deepEqual([verdict.reason, verdict.answer], ['no answer', null])
    const later: ToolOutcome = { ...failed, message: 'no answer again' }
    const ran = [failed, later].map((outcome) =>
      did('data_fetch_stock', { ticker: 'AAPL' }, outcome),
    )
    assert.equal(verdictOf(ran).reason, 'no answer again')
  })
})

test('the metric is between 0 and 1, and is 1 only for a complete report', () => {
  const count = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(count, count, fc.boolean(), fc.boolean(), (rows, asked, average, plot) => {
      const series = rising(rows)
      const ran = [fetched(series), analyzed(series), plotted(series, ma7Of(series))]
      const { metric, passed } = verdictOf(ran, { rows: asked, average, plot }, 1)
      assert.ok(metric >= 0 && metric <= 1)
      // Fewer than seven days have no seven-day average to prove.
      assert.equal(passed, rows === asked && (!average || rows >= 7))
    }),
  )
})
