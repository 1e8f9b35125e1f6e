import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { factsOf } from './log.ts'

test('[C-24] facts are numbers and identifiers in known fields, never text', () => {
  const data = {
    model: 'openai/gpt-5-nano',
    to: 'ann',
    from: 'a/b',
    tool: 'two words',
    output_summary: 'it is 90',
    args: { city: 'Lisbon', days: 3, code: 'hunter2' },
    input: [7, 'x'],
    tokens: { input: 7 },
    counts: { 'ann@example.org': 3, 'of ann': 4, all: 5 },
    targets: ['a/b', 'not one', 7],
    isBig: true,
    none: null,
    caller: 'ann@example.org',
  }
  assert.deepEqual(factsOf(data), {
    model: 'openai/gpt-5-nano',
    from: 'a/b',
    tokens: { input: 7 },
    counts: { all: 5 },
    targets: ['a/b', 7],
    isBig: true,
    none: null,
  })
})

test('no text with a blank in it is ever a fact', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('calendar', 'two words', 'a/b'))
  const list = fc.array(text)
  const data = fc.dictionary(fc.constantFrom('tool', 'to', 'x'), fc.oneof(text, list))
  fc.assert(
    fc.property(data, (given) => {
      JSON.stringify(factsOf({ ...given, call: given }), (_, value: unknown) => {
        if (typeof value === 'string') assert.doesNotMatch(value, /\s/)
        return value
      })
    }),
  )
})
