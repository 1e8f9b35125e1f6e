import assert from 'node:assert/strict'
import test from 'node:test'
import { seededRandom } from '../value/random.ts'
import { outOfFold } from './cross-validation.ts'

test('noise predicts nothing out of fold, and evidence does', () => {
  const random = seededRandom(5)
  const signals = Array.from({ length: 300 }, () => random())
  const outcomes = signals.map((signal) => random() < signal)
  const right = (values: readonly (readonly number[])[]): number => {
    const cases = outcomes.map((outcome, at) => ({ values: values[at] ?? [], outcome }))
    const chances = outOfFold(cases, 1, 7)
    return chances.filter((chance, at) => chance >= 0.5 === outcomes[at]).length / 300
  }
  const noise = outcomes.map(() => Array.from({ length: 20 }, () => random()))
  assert.ok(right(noise) < 0.58, `${right(noise)}`)
  assert.ok(right(signals.map((signal) => [signal])) > 0.68)
})
