import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf } from './detection.ts'
import { heldOutTurns, tunedTurns } from './labeled-turns.ts'

/** Below the measured figures, and above useless ones. */
const FLOOR = { precision: 0.65, recall: 0.7 }

test('[L-14] detects stop, frustration and drift on held-out labeled turns', () => {
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

test('no held-out turn is among the training turns', () => {
  const seen = new Set(tunedTurns().map(({ text }) => text.toLowerCase()))
  assert.deepEqual(
    heldOutTurns().filter(({ text }) => seen.has(text.toLowerCase())),
    [],
  )
})

test('nearly all training turns are classified as labeled', () => {
  for (const { kind, precision, recall } of figuresOf(tunedTurns())) {
    assert.ok(precision >= 0.95, `${kind}: precision ${precision}`)
    assert.ok(recall >= 0.95, `${kind}: recall ${recall}`)
  }
})
