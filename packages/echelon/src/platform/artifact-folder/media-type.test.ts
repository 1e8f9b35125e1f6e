import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mediaTypeOf } from './media-type.ts'

test('detects the type from the bytes', () => {
  const cases: readonly (readonly [string, Uint8Array | string])[] = [
    ['image/png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])],
    ['image/jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
    ['application/json', ' {"a": [1]}\n'],
    ['application/json', '[]'],
    ['text/plain', '{"a": '],
    ['text/plain', '12'],
    ['text/plain', 'Kurs\tfür\r\nMai'],
    ['application/octet-stream', ''],
    ['application/octet-stream', 'a\0b'],
    ['application/octet-stream', new Uint8Array([0x89, 0x50, 0x4e, 0x47])],
    ['application/octet-stream', new Uint8Array([0xc3, 0x28])],
  ]
  for (const [mediaType, content] of cases) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    assert.equal(mediaTypeOf(bytes), mediaType, String(content))
  }
})
