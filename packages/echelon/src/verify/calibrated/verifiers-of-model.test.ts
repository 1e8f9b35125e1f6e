import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { agree } from '../agree/agree.ts'
import { inWords } from '../agree/way.ts'
import { call } from '../call/call.ts'
import { format } from '../format/format.ts'
import { grounded } from '../grounded/grounded.ts'
import { steps } from '../steps/steps.ts'
import type { Verifier } from '../verifier.ts'
import type { CalibratedModel } from './calibrated-model.ts'
import { calibratedScore } from './calibrated-score.ts'
import { verifiersOfModel } from './verifiers-of-model.ts'

const modelOf = (verifiers: readonly Verifier[]): CalibratedModel => ({
  version: 1,
  features: Object.fromEntries(
    verifiers.flatMap(({ features }) =>
      features.map((name) => [name, { weight: 1, mean: 0, scale: 1 }]),
    ),
  ),
  offset: 0,
  trainedOn: { cases: 100, date: '2026-11-27', right: 0.5, accuracy: 0.5, brier: 0.2 },
})

const ways = ['opinion1', 'opinion2'].map((role) => inWords(role, { name: role }))

suite('the verifiers of a fitted model', () => {
  const sets: readonly (readonly Verifier[])[] = [
    [format, steps],
    [format, call()],
    [format, steps, grounded()],
    [format, steps, agree({ ways, atMost: 2 })],
  ]
  for (const verifiers of sets) {
    test(`are those that it was fitted on: ${verifiers.map(({ name }) => name).join(', ')}`, () => {
      const model = modelOf(verifiers)
      const found = verifiersOfModel(model)
      assert.deepEqual(
        found.verifiers.map(({ name }) => name).toSorted(),
        verifiers.map(({ name }) => name).toSorted(),
      )
      // It refuses verifiers whose features are not the model's.
      assert.ok(calibratedScore(model, found.verifiers))
    })
  }

  test('ask the roles that it names, in their order', () => {
    assert.deepEqual(verifiersOfModel(modelOf([agree({ ways, atMost: 2 })])).roles, [
      'opinion1',
      'opinion2',
    ])
  })

  test('cannot be made if one is not built in', () => {
    const own = { ...format, name: 'own', features: ['own.length'] }
    assert.throws(() => verifiersOfModel(modelOf([own])), {
      code: 'INVALID_CONFIG',
      message: /fitted on the verifier own, which is not built in/,
    })
  })
})
