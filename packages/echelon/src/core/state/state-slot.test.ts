import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { loadState, slotOf, storedState } from './state-slot.ts'
import { MOST_STATE_BYTES, type StateSchema, type StateSpec } from './state.ts'

const schema = z.object({ count: z.number(), reason: z.string().default('none') })
const spec: StateSpec<z.infer<typeof schema>> = {
  version: 2,
  schema,
  initial: { count: 0, reason: '' },
}

/** A schema that checks asynchronously. */
const waiting: StateSchema<unknown> = {
  '~standard': { ...schema['~standard'], validate: async (value) => ({ value }) },
}

describe('the slot of a state', () => {
  test('describes the problem with a stored state, and prints its shape', () => {
    const slot = slotOf('app/counter', spec)
    assert.equal(slot.scope, 'run')
    assert.equal(slot.refusal({ count: 1 }), undefined)
    assert.match(slot.refusal({ count: 'x', reason: 1 }) ?? '', /^count: .*; reason: /)
    assert.deepEqual(slot.jsonSchema['required'], ['count'])
    assert.ok(Object.isFrozen(slot))
  })

  test('rejects an invalid version, schema or initial state', () => {
    for (const version of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => slotOf('a/x', { ...spec, version }), {
        code: 'INVALID_DEFINITION',
        message: /whole number from 1 on/,
      })
    }
    const refused: readonly (readonly [StateSpec<unknown>, RegExp])[] = [
      [{ version: 1, schema: z.unknown(), initial: new Map() }, /that JSON cannot hold/],
      [
        { version: 1, schema: z.number().min(1), initial: 0 },
        /an initial value that does not fit its schema/,
      ],
      [
        { version: 1, schema: waiting, initial: {} },
        /an asynchronous schema; use a synchronous one/,
      ],
      [{ version: 1, schema: z.custom(), initial: {} }, /no JSON form/],
    ]
    for (const [given, message] of refused) {
      assert.throws(() => slotOf('a/x', given), { code: 'INVALID_DEFINITION', message })
    }
  })

  test('[C-29] fills in missing defaults, and rejects a state that does not fit', () => {
    const slot = slotOf('app/counter', spec)
    assert.deepEqual(loadState(slot, spec, { count: 1 }), { count: 1, reason: 'none' })
    assert.throws(() => loadState(slot, spec, { count: '1' }), {
      code: 'STATE_REFUSED',
      message:
        /app\/counter is of version 2 but does not fit its schema \(count: .*\); raise the version and add a migration, or discard the state$/,
      details: { state: 'app/counter', version: 2 },
    })
  })

  test('stores at most 4 KB of JSON, counted in bytes', () => {
    const slot = slotOf('app/counter', spec)
    const fits = 'x'.repeat(MOST_STATE_BYTES - 2)
    assert.equal(MOST_STATE_BYTES, 4096)
    assert.equal(storedState(slot, fits), fits)
    for (const tooLarge of [`${fits}x`, 'é'.repeat(MOST_STATE_BYTES / 2)]) {
      assert.throws(() => storedState(slot, tooLarge), {
        code: 'STATE_TOO_LARGE',
        message: /app\/counter takes 409[78] bytes; the limit is 4096/,
      })
    }
    assert.throws(() => storedState(slot, { at: new Date(0) }), { code: 'INVALID_DEFINITION' })
  })
})
