import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { isJson, isJsonArray, isJsonObject } from '../value/json.ts'
import { jsonIn } from './json-in-text.ts'

/** Reference implementation that tries each bracket with each end: slow and simple. */
function slowly(text: string): readonly unknown[] {
  const found: unknown[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue
    for (let end = at + 2; end <= text.length; end++) {
      const value = parsed(text.slice(at, end))
      if (value === undefined) continue
      found.push(value)
      at = end - 1
      break
    }
  }
  return found
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) && (isJsonArray(value) || isJsonObject(value)) ? value : undefined
  } catch {
    return undefined
  }
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 2 }) },
  fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\',
    ',',
    ':',
    '1',
    '-',
    'true',
    '1e999',
    '\\u00',
    '\n',
  ),
  fc.constantFrom('{"a":', '["', '"]', '"b"', ' ', '```json\n', 'the [plan] is "so": '),
)

suite('JSON in a text', () => {
  test('is found where the reference implementation finds it', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const text = pieces.join('')
        assert.deepEqual(jsonIn(text), slowly(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('is found inside and after broken JSON', () => {
    const rows: readonly [text: string, found: readonly unknown[]][] = [
      ['[1] and {"a":2}', [[1], { a: 2 }]],
      ['{"a": [1], "b": }', [[1]]],
      ['["{\\"a\\":1}" x [2]', [[2]]],
      ['["see [1] there" x', [[1]]],
      ['[1e999, [2]]', [[2]]],
      [`${'['.repeat(65)}${']'.repeat(65)}`, [JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`)]],
      ['{"a":"unclosed', []],
      ['none at all', []],
    ]
    for (const [text, found] of rows) assert.deepEqual(jsonIn(text), found)
  })
})
