import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { base64 } from './base64.ts'

test('encodes bytes as standard base64', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.equal(base64(bytes), Buffer.from(bytes).toString('base64'))
    }),
  )
})
