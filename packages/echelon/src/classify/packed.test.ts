import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifierOf, train } from './classifier.ts'
import { packed, unpacked } from './packed.ts'

const ROWS = ['pay', 'send', 'stop'].flatMap((word) =>
  ['please', 'now', 'it', 'that', 'again'].map((more) => ({
    text: `${word} ${more}`,
    label: word,
  })),
)
const model = train([...ROWS, { text: 'good morning', label: null }]).model

test('an unpacked model classifies as the packed one', () => {
  const [before, after] = [classifierOf(model), classifierOf(unpacked(packed(model)))]
  for (const text of ['pay me', 'stop', 'morning', 'please send that once more', '']) {
    const [one, other] = [before.classify(text), after.classify(text)]
    assert.equal(other.label, one.label)
    assert.equal(other.next, one.next)
    assert.ok(Math.abs(other.confidence - one.confidence) < 0.02, `${text}: ${other.confidence}`)
  }
})

test('a weight takes a byte', () => {
  const { vocabulary, planes } = model
  const size = packed(model).length
  const weights = planes.length * vocabulary.features.length
  assert.ok(size > weights)
  assert.ok(size < weights + vocabulary.features.length * 20 + 500)
})

test('bytes of something else are refused', () => {
  const bytes = packed(model)
  for (const other of [
    new Uint8Array(),
    new Uint8Array(3),
    new Uint8Array(100),
    bytes.subarray(0, bytes.length - 1),
    new TextEncoder().encode('\u0002\u0000\u0000\u0000{}'),
  ]) {
    assert.throws(() => unpacked(other), /not a packed classifier/)
  }
})
