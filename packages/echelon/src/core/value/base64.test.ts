import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { base64 } from './base64.ts'

test('bytes become the text that everybody reads', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.equal(base64(bytes), Buffer.from(bytes).toString('base64'))
    }),
  )
})
