import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { utf8Bytes } from './utf8.ts'

const encoder = new TextEncoder()
const codeUnit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.integer({ min: 0xd800, max: 0xdfff }),
  fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xdbff, 0xdc00, 0xe000, 0xffff),
)

test('counts the same bytes as an encoder, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.array(codeUnit), (units) => {
      const text = String.fromCharCode(...units)
      assert.equal(utf8Bytes(text), encoder.encode(text).length)
    }),
    {
      numRuns: 500,
      examples: [
        [[]],
        [[0xd83d]],
        [[0xdc00, 0xd83d]],
        [[0xd83d, 0xd83d, 0xdc00]],
        [[0xd83d, 0x41]],
      ],
    },
  )
})
