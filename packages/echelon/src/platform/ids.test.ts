import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemIds } from './ids.ts'

test('ids are distinct UUIDs of version 4', () => {
  const ids = new Set(Array.from({ length: 1000 }, () => systemIds.next()))
  assert.equal(ids.size, 1000)
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})
