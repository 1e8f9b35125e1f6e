import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../core/value/json.ts'
import { PartialOutput } from './partial-output.ts'

function shownOf(pieces: readonly string[]): readonly Json[] {
  const shown: Json[] = []
  const output = new PartialOutput((partial) => shown.push(partial))
  for (const piece of pieces) output.hear(piece)
  return shown
}

test('a long answer is shown less often as it grows, and whole in the end', () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `name ${id}` }))
  const text = JSON.stringify({ rows })
  const shown = shownOf(Array.from(text, (character) => character))
  assert.ok(shown.length > 100 && shown.length < 400, `${shown.length} of ${text.length}`)
  assert.deepEqual(shown.at(-1), { rows })
})

test('shows nothing after the end, or for text that is not an object', () => {
  assert.deepEqual(shownOf(['{"a":1}', ' and more', '{"b":2}']), [{ a: 1 }])
  assert.deepEqual(shownOf(['Sorry, ', 'no.']), [])
  assert.deepEqual(shownOf(['{oops}', ' {"a":1}']), [])
})
