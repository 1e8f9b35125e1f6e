import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf } from './detection.ts'
import { heldOutTurns, tunedTurns } from './labelled-turns.ts'

/** Below what was measured, and above what would be of no use. */
const FLOOR = { precision: 0.65, recall: 0.75 }

test('[L-14] stop, frustration and drift are told on labelled turns that nothing was tuned on', () => {
  const turns = heldOutTurns()
  assert.ok(turns.length >= 180)
  for (const form of ['paraphrase', 'negation', 'sarcasm'] as const) {
    assert.ok(turns.some((turn) => turn.form === form))
  }
  for (const { kind, precision, recall } of figuresOf(turns)) {
    assert.ok(precision >= FLOOR.precision, `${kind}: precision ${precision}`)
    assert.ok(recall >= FLOOR.recall, `${kind}: recall ${recall}`)
  }
})

test('no turn that is held out is among those that were learnt from', () => {
  const seen = new Set(tunedTurns().map(({ text }) => text.toLowerCase()))
  assert.deepEqual(
    heldOutTurns().filter(({ text }) => seen.has(text.toLowerCase())),
    [],
  )
})

test('those that rules and weights were made with are read as they are labelled, but for a few', () => {
  for (const { kind, precision, recall } of figuresOf(tunedTurns())) {
    assert.ok(precision >= 0.95, `${kind}: precision ${precision}`)
    assert.ok(recall >= 0.95, `${kind}: recall ${recall}`)
  }
})
