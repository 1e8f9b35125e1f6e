import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { evaluate } from '../../src/tools/calculator/evaluate.ts'
import { drawFrom } from '../verification/draw.ts'
import { asCalculated, type Exact, exactExpression } from '../verification/exact-expressions.ts'
import { tried } from './tried.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const COUNT = 100_000
/** The tool takes no more. */
const MOST_CHARACTERS = 2000

const drawn = (nth: number): Exact => {
  const seeds = [SEED, nth]
  const draw = drawFrom({ wording: seeds, numbers: seeds })
  return exactExpression(draw, draw.int(1, 5))
}

function holds(nth: number): void {
  const { text, value } = drawn(nth)
  if (text.length > MOST_CHARACTERS) return
  if (value === undefined) {
    assert.throws(() => evaluate(text), { code: 'INVALID_ARGS', fault: 'value' }, text)
  } else assert.equal(evaluate(text), asCalculated(value), text)
}

suite('calculator: random expressions against exact fractions', () => {
  test('every rational expression has its exact value, whole or rounded once', async (t) => {
    await tried(t, {
      cases: Array.from({ length: COUNT }, (_, nth) => nth),
      named: (nth) => `seed ${SEED}, number ${nth}`,
      hold: holds,
      fast: 4000,
    })
  })
})
