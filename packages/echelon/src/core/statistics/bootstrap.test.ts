import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bootstrap, pairedDifference } from './bootstrap.ts'

// Efron and Tibshirani 1993, table 3.1: LSAT and grades of 15 law schools.
const LAW: readonly (readonly [number, number])[] = [
  [576, 3.39],
  [635, 3.3],
  [558, 2.81],
  [578, 3.03],
  [666, 3.44],
  [580, 3.07],
  [555, 3],
  [661, 3.43],
  [651, 3.36],
  [605, 3.13],
  [653, 3.12],
  [575, 2.74],
  [545, 2.76],
  [572, 2.88],
  [594, 2.96],
]

function correlation(rows: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1): number => rows.reduce((sum, row) => sum + row[at], 0) / rows.length
  const [x, y] = [mean(0), mean(1)]
  const sum = (of: (row: readonly [number, number]) => number): number =>
    rows.reduce((total, row) => total + of(row), 0)
  return (
    sum((row) => (row[0] - x) * (row[1] - y)) /
    Math.sqrt(sum((row) => (row[0] - x) ** 2) * sum((row) => (row[1] - y) ** 2))
  )
}

suite('a bootstrap', () => {
  test('has the published standard error of the law schools, .132', () => {
    assert.ok(Math.abs(correlation(LAW) - 0.776) < 5e-4)
    const spread = bootstrap(
      LAW.length,
      (drawn) => ({ correlation: correlation(drawn.flatMap((at) => [LAW[at] ?? [0, 0]])) }),
      { repeats: 3_200 },
    ).get('correlation')
    assert.ok(spread !== undefined && Math.abs(spread.error - 0.132) < 0.006, `${spread?.error}`)
  })

  test('is determined by its seed', () => {
    const figures = (drawn: readonly number[]) => ({ first: drawn[0] ?? 0 })
    assert.deepEqual(bootstrap(9, figures, { seed: 4 }), bootstrap(9, figures, { seed: 4 }))
    assert.notDeepEqual(bootstrap(9, figures, { seed: 4 }), bootstrap(9, figures, { seed: 5 }))
  })

  test('leaves out draws in which a figure does not exist', () => {
    const found = bootstrap(2, (drawn) => ({ odd: drawn[0] === 0 ? Number.NaN : 1 })).get('odd')
    assert.deepEqual(found, { error: 0, low: 1, high: 1 })
  })
})

suite('a paired difference', () => {
  // Student 1908: hours of sleep gained by ten patients with two drugs.
  const FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
  const SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
  const pairs = SECOND.map((now, at) => ({ now, before: FIRST[at] ?? 0 }))

  test('of Student’s sleep data is 1.58, clear of zero', () => {
    const { value, low, high, n } = pairedDifference(pairs, { repeats: 4_000 })
    assert.ok(value !== null && low !== null && high !== null)
    assert.ok(Math.abs(value - 1.58) < 1e-9 && n === 10)
    // The percentile interval that R's boot gives is about .97 to 2.36.
    assert.ok(Math.abs(low - 0.97) < 0.08 && Math.abs(high - 2.36) < 0.12, `${low} ${high}`)
  })

  test('cancels out what makes a case hard in both', () => {
    const hard = pairs.map(({ now, before }, at) => ({
      now: now + 100 * at,
      before: before + 100 * at,
    }))
    const [plain, shifted] = [pairedDifference(pairs), pairedDifference(hard)]
    assert.ok(Math.abs((plain.low ?? 0) - (shifted.low ?? 1)) < 1e-6)
  })

  test('has no bounds before three cases', () => {
    assert.deepEqual(pairedDifference([{ now: 1, before: 0 }]), {
      value: 1,
      low: null,
      high: null,
      n: 1,
    })
  })
})
