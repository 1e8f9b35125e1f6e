import assert from 'node:assert/strict'
import test from 'node:test'
import type { StepView } from 'echelon/client'
import { pairsOf } from './apart.ts'

const step = (seq: number, change: Partial<StepView> = {}): StepView => ({
  path: '',
  seq,
  effect: 'generate',
  actor: 'planner',
  targets: ['a/small'],
  role: 'small',
  opened_at: '2026-01-01T00:00:00.000Z',
  closed_at: '2026-01-01T00:00:01.000Z',
  seen: {
    type: 'generated',
    text: 'x',
    calls: [],
    finish: 'stop',
    model: 'a/small',
    usage: { input: 1, output: 1 },
    cost: 0,
  },
  reserved: {},
  spent: {},
  notes: [],
  asked: [],
  changed: [],
  ...change,
})

test('steps that did and saw the same are alike, whatever they took', () => {
  const [pair] = pairsOf([step(0)], [step(0, { spent: { money: 1 }, opened_at: '2027' })])
  assert.equal(pair?.differs, false)
})

test('another model, another answer and a missing step differ, and steps of sub-runs are left out', () => {
  const pairs = pairsOf(
    [step(0), step(1), step(0, { path: 'child' })],
    [step(0), step(1, { targets: ['b/big'] }), step(2)],
  )
  assert.deepEqual(
    pairs.map(({ seq, differs }) => [seq, differs]),
    [
      [0, false],
      [1, true],
      [2, true],
    ],
  )
  assert.equal(pairs[2]?.a, undefined)
})
