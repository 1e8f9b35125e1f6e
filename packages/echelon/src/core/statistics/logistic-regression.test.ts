import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { seededRandom } from '../value/random.ts'
import { fitLogistic, type LogisticRegression, probabilityOf } from './logistic-regression.ts'

/** Weights and offset for the features as they are measured. */
function unscaled({ features, offset }: LogisticRegression): readonly number[] {
  const weights = features.map(({ weight, scale }) => weight / scale)
  const shift = features.reduce((sum, { mean }, at) => sum + mean * (weights[at] ?? 0), 0)
  return [offset - shift, ...weights]
}

/**
 * Temperature in °F and thermal distress of an O-ring in 23 flights of the Space Shuttle before Challenger's last
 * (Dalal, Fowlkes and Hoadley 1989, Journal of the American Statistical Association 84, table 1).
 */
const WITH_DISTRESS = [53, 57, 58, 63, 70, 70, 75]
const WITHOUT = [66, 67, 67, 67, 68, 69, 70, 70, 72, 73, 75, 76, 76, 78, 79, 81]
const FLIGHTS = [
  ...WITH_DISTRESS.map((degrees) => ({ values: [degrees], outcome: true })),
  ...WITHOUT.map((degrees) => ({ values: [degrees], outcome: false })),
]

suite('logistic regression', () => {
  test('finds the published coefficients of the O-ring data', () => {
    const fitted = fitLogistic(FLIGHTS, 0)
    const [offset = 0, slope = 0] = unscaled(fitted)
    assert.equal(offset.toFixed(4), '15.0429')
    assert.equal(slope.toFixed(4), '-0.2322')
    // At 31 °F, the temperature of the last flight.
    assert.equal(probabilityOf(fitted, [31]).toFixed(4), '0.9996')
  })

  test('predicts as many events as there were, with a penalty too', () => {
    for (const penalty of [0, 1, 100]) {
      const fitted = fitLogistic(FLIGHTS, penalty)
      const expected = FLIGHTS.reduce((sum, { values }) => sum + probabilityOf(fitted, values), 0)
      assert.ok(Math.abs(expected - WITH_DISTRESS.length) < 1e-6)
    }
  })

  test('a penalty shrinks the weights', () => {
    const sizes = [0, 1, 10, 1000].map((penalty) =>
      Math.abs(fitLogistic(FLIGHTS, penalty).features[0]?.weight ?? 0),
    )
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    )
  })

  test('finds the weights that made the outcomes, among correlated features', () => {
    const random = seededRandom(7)
    const cases = Array.from({ length: 4_000 }, () => {
      const [a, b] = [random() * 4, random() * 4]
      const values = [a, a + b, 5]
      return { values, outcome: random() < 1 / (1 + Math.exp(-(1.5 * a - 1 * (a + b) + 0.5))) }
    })
    const [offset = 0, first = 0, second = 0, constant = 0] = unscaled(fitLogistic(cases, 0.01))
    assert.ok(Math.abs(offset - 0.5) < 0.25, String(offset))
    assert.ok(Math.abs(first - 1.5) < 0.15 && Math.abs(second + 1) < 0.1)
    assert.equal(constant, 0)
  })

  test('stays finite where a feature separates the outcomes', () => {
    const cases = [1, 2, 3, 4].map((value) => ({ values: [value], outcome: value > 2 }))
    for (const penalty of [0, 1]) {
      const chances = cases.map(({ values }) => probabilityOf(fitLogistic(cases, penalty), values))
      assert.ok(chances.every((chance, at) => Number.isFinite(chance) && chance > 0.5 === at > 1))
    }
  })

  test('rejects cases of one outcome and rows that are not alike', () => {
    const one = { values: [1], outcome: true }
    assert.throws(() => fitLogistic([one, one]), /needs both outcomes; of 2 cases 2 are positive/)
    assert.throws(() => fitLogistic([]), /needs both outcomes/)
    for (const values of [[1, 2], [], [Number.NaN]]) {
      assert.throws(() => fitLogistic([one, { values, outcome: false }]), /finite numbers/)
    }
  })
})
