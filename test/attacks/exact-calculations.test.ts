import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ToolError } from '../../packages/echelon/src/core/tool/tool.ts'
import { evaluate } from '../../packages/tools/src/calculator/evaluate.ts'
import { drawFrom } from '../verification/draw.ts'
import { asCalculated, type Exact, exactExpression } from '../verification/exact-expressions.ts'
import { type NearInteger, nearInteger } from '../verification/near-integers.ts'
import { tried } from './tried.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const COUNT = 100_000
/** The tool's maximum. */
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

const NEAR = 20_000

function nearDrawn(nth: number): NearInteger {
  const seeds = [SEED, nth]
  return nearInteger(drawFrom({ wording: seeds, numbers: seeds }))
}

/** Whether it has its exact value; otherwise it was rejected. */
function isAnswered(nth: number): boolean {
  const { text, value } = nearDrawn(nth)
  let given: string
  try {
    given = evaluate(text)
  } catch (error) {
    assert.ok(error instanceof ToolError && error.code === 'INVALID_ARGS', String(error))
    return false
  }
  assert.ok(value.toSignificantDigits(50).eq(given), `${text} is not ${given}`)
  return true
}

suite('calculator: random expressions against exact fractions', () => {
  test('every rational expression has its exact value, whole or rounded once', async (t) => {
    await tried(t, {
      cases: Array.from({ length: COUNT }, (_, nth) => nth),
      named: (nth) => `seed ${SEED}, number ${nth}`,
      hold: holds,
      fast: 250,
    })
  })

  test('close to a whole number a value is right or rejected, and at most one in ten is rejected', async (t) => {
    let [answered, refused] = [0, 0]
    await tried(t, {
      cases: Array.from({ length: NEAR }, (_, nth) => nth),
      named: (nth) => `seed ${SEED}, number ${nth}`,
      hold(nth) {
        if (isAnswered(nth)) answered += 1
        else refused += 1
      },
      fast: 50,
    })
    t.diagnostic(`answered ${answered}, refused ${refused}`)
    assert.ok(refused * 9 <= answered)
  })
})
