import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { migration } from './state-migration.ts'
import type { StateSchema } from './state.ts'

const Old = z.object({ count: z.string(), step: z.number().default(1) })

describe('a migration', () => {
  test('[C-27] receives the old state as its schema parses it, defaults and types included', () => {
    const step = migration(Old, (old) => ({ count: Number(old.count) + old.step }))
    assert.deepEqual(step({ count: '41' }), { count: 42 })
  })

  test('may leave out what it does not have', () => {
    const step = migration(Old.extend({ reason: z.string().optional() }), (old) => ({
      reason: old.reason,
    }))
    assert.equal(JSON.stringify(step({ count: '1' })), '{}')
  })

  test('rejects an old state that does not fit its schema, and results that JSON cannot hold', () => {
    const same = migration(Old, (old) => old)
    assert.throws(() => same({ count: 1 }), { code: 'STATE_REFUSED', message: /^count: / })
    const date = migration(Old, () => new Map())
    assert.throws(() => date({ count: '1' }), { code: 'STATE_REFUSED', message: /plain values/ })
  })

  test('rejects an asynchronous schema', () => {
    const waiting: StateSchema<unknown> = {
      '~standard': { ...Old['~standard'], validate: async (value) => ({ value }) },
    }
    const step = migration(waiting, () => 1)
    assert.throws(() => step({}), { code: 'STATE_REFUSED', message: /is asynchronous/ })
  })
})
