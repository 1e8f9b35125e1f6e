import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { seededRandom } from '../../core/value/random.ts'
import { format } from '../format/format.ts'
import { attempt } from '../in-tests.ts'
import { judgeBySeveral } from '../several.ts'
import { steps } from '../steps/steps.ts'
import { proved, refuted, scored, silent, type Judgment, type Verifier } from '../verifier.ts'
import { type CalibratedModel, probabilityBy, readCalibratedModel } from './calibrated-model.ts'
import { calibratedScore } from './calibrated-score.ts'
import { fitCalibrated } from './fit-calibrated.ts'

const MODEL: CalibratedModel = {
  version: 1,
  features: { 'a.long': { weight: -2, mean: 10, scale: 5 } },
  offset: 1,
  trainedOn: { cases: 20, date: '2026-01-31', right: 0.5, accuracy: 0.8, brier: 0.2 },
}

const verifierOf = (judgment: Judgment, features: readonly string[] = ['a.long']): Verifier => ({
  name: 'a',
  features,
  verify: () => judgment,
})

suite('a calibrated model', () => {
  test('is read from the JSON that it was stored as', () => {
    assert.deepEqual(readCalibratedModel(JSON.parse(JSON.stringify(MODEL))), MODEL)
  })

  test('that is damaged is rejected with what is wrong', () => {
    const { features, trainedOn, ...rest } = MODEL
    const rows: readonly [unknown, RegExp][] = [
      [[], /is not a JSON object/],
      [{ ...MODEL, version: 2 }, /has the version 2; this release reads 1/],
      [{ trainedOn, ...rest }, /has no `features`/],
      [{ features, ...rest }, /has no `trainedOn`/],
      [{ ...MODEL, features: { x: 1 } }, /has a feature `x` that is not an object/],
      [
        { ...MODEL, features: { x: { weight: '1', mean: 0, scale: 1 } } },
        /needs a finite number as `features\["x"\]\.weight`/,
      ],
      [{ ...MODEL, features: { x: { weight: 1, mean: 0, scale: 0 } } }, /"x"\]\.scale` above 0/],
      [{ ...MODEL, offset: null }, /`offset`/],
      [{ ...MODEL, trainedOn: { ...trainedOn, date: 'today' } }, /an ISO date/],
    ]
    for (const [stored, message] of rows) {
      assert.throws(() => readCalibratedModel(stored), { code: 'INVALID_CONFIG', message })
    }
  })

  test('gives the probability by its formula, and none without its features', () => {
    assert.equal(probabilityBy(MODEL, { 'a.long': 12.5 }), 0.5)
    assert.equal(probabilityBy(MODEL, { 'a.short': 1 }), undefined)
  })
})

suite('fitting a calibrated model', () => {
  const random = seededRandom(3)
  const cases = Array.from({ length: 500 }, () => {
    const signal = random()
    return { features: { 'a.signal': signal, 'a.noise': random() }, right: random() < signal }
  })

  test('finds the evidence, and keeps how well it does', () => {
    const { features, trainedOn } = fitCalibrated(cases, { date: '2026-01-31' })
    const [signal, noise] = [features['a.signal']?.weight ?? 0, features['a.noise']?.weight ?? 0]
    assert.ok(signal > 1 && Math.abs(noise) < 0.3)
    assert.equal(trainedOn.cases, 500)
    assert.ok(trainedOn.accuracy > 0.68 && trainedOn.brier < 0.2)
    assert.ok(Math.abs(trainedOn.right - 0.5) < 0.1)
  })

  test('rejects cases whose features differ, and cases of one outcome', () => {
    const other = { features: { 'a.signal': 1, 'b.new': 1 }, right: true }
    assert.throws(() => fitCalibrated([...cases, other], { date: '2026-01-31' }), {
      code: 'INVALID_INPUT',
      message:
        'Case 501 of 501 lacks a.noise and has b.new, which the first lacks. Judge all cases with the same verifiers.',
    })
    const right = cases.filter((each) => each.right)
    assert.throws(() => fitCalibrated(right, { date: '2026-01-31' }), /needs both outcomes/)
  })
})

suite('the calibrated score', () => {
  const judge = (judgment: Judgment) =>
    calibratedScore(MODEL, [verifierOf(judgment)]).verify(attempt('2 + 2?', '4'), [])

  test('is the fitted probability of the evidence', () => {
    assert.deepEqual(
      judge(scored(0.9, 'long', { 'a.long': 12.5 })),
      scored(0.5, 'long', {
        'a.long': 12.5,
      }),
    )
  })

  test('of format and steps is fitted on judged answers', () => {
    const cases = [1, 2, 3, 4, 5, 6].map((size) => {
      const right = size % 2 === 0
      const text = `2 + ${size} = ${size + 2}, ${right ? `#### ${size + 2}` : 'and so on and'}`
      const answered = attempt(`What is 2 + ${size}?`, text, { kind: 'number' })
      const judged = judgeBySeveral([format, steps], answered, [])
      assert.ok('judgments' in judged)
      const features = Object.assign({}, ...judged.judgments.map((each) => each.features))
      return { answered, features, right }
    })
    const model = readCalibratedModel(fitCalibrated(cases, { date: '2026-01-31' }))
    const score = calibratedScore(model, [format, steps])
    for (const { answered, right } of cases) {
      const judged = score.verify(answered, [])
      assert.ok(judged.verdict === 'scored' && judged.score > 0.5 === right)
    }
  })

  test('leaves a proof and a refutation as they are', () => {
    assert.equal(judge(proved('sure')).verdict, 'proved')
    assert.equal(judge(refuted('no answer')).verdict, 'refuted')
  })

  test('is silent where evidence is missing', () => {
    const judged = judge(silent('no text'))
    assert.ok(judged.verdict === 'silent' && /lacks a\.long: no text/.test(judged.reason))
  })

  test('rejects verifiers other than those it was fitted on', () => {
    const other = verifierOf(silent(''), ['a.short'])
    assert.throws(() => calibratedScore(MODEL, [other]), {
      code: 'INVALID_CONFIG',
      message: /the model needs a\.long; it was fitted without a\.short\. Pass the same verifiers/,
    })
  })
})
