import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import { EchelonError } from '../value/error.ts'
import type { Json, JsonObject } from '../value/json.ts'
import {
  changesToEvents,
  checkRefusals,
  containerOf,
  reconcile,
  signatureOf,
  type StateChange,
} from './state-container.ts'
import { migration } from './state-migration.ts'
import { slotOf } from './state-slot.ts'
import { MOST_STATE_BYTES, type StateContainer, type StateScope, type StateSlot } from './state.ts'

const Count = z.object({ count: z.number() })

const counter = (key: string, scope: StateScope = 'run'): StateSlot =>
  slotOf(key, { version: 1, schema: Count, initial: { count: 0 }, scope })

/** Version 1 held text, version 2 a list, version 3 a number. */
const third = slotOf('app/counter', {
  version: 3,
  schema: Count,
  initial: { count: 0 },
  migrate: {
    1: migration(z.object({ count: z.string() }), ({ count }) => ({ counts: [count] })),
    2: migration(z.object({ counts: z.array(z.string()) }), ({ counts }) => ({
      count: counts.map(Number).reduce((sum, one) => sum + one, 0),
    })),
  },
})

const stored = (
  states: JsonObject,
  versions: Readonly<Record<string, number>> = {},
): StateContainer => ({
  states,
  schemaSignature: Object.keys({ ...states, ...versions })
    .toSorted()
    .join(','),
  schemaVersion: 1,
  stateVersions: versions,
})

/** The reason why the only state is rejected. */
function refusalOf(container: StateContainer, slot: StateSlot): string {
  const { states, changes } = reconcile(container, [slot])
  const [change] = changes
  assert.deepEqual(states, {})
  assert.ok(change?.type === 'refused' && changes.length === 1, JSON.stringify(changes))
  assert.equal(change.key, slot.key)
  return change.reason
}

describe('a container of states', () => {
  test('[C-28] holds states, sorted namespaced keys, its own version and the version of each', () => {
    const slots = [counter('b/retry'), third, counter('a/retry', 'session')]
    const states = { 'b/retry': { count: 1 }, 'app/counter': { count: 2 } }
    assert.deepEqual(containerOf(slots, states), {
      states,
      schemaSignature: 'a/retry,app/counter,b/retry',
      schemaVersion: 1,
      stateVersions: { 'a/retry': 1, 'app/counter': 3, 'b/retry': 1 },
    })
  })

  test('[C-28] middleware with the same name and different namespaces have separate states', () => {
    const slots = [counter('mine/retry'), counter('yours/retry')]
    const container = containerOf(slots, { 'mine/retry': { count: 1 } })
    assert.equal(container.schemaSignature, 'mine/retry,yours/retry')
    assert.deepEqual(reconcile(container, slots).states, { 'mine/retry': { count: 1 } })
  })

  test('leaves out shared states, states without middleware and, for a session, states of a run', () => {
    const slots = [counter('a/run'), counter('a/session', 'session'), counter('a/shared', 'shared')]
    const states = Object.fromEntries(
      ['a/run', 'a/session', 'a/shared', 'a/gone'].map((key) => [key, { count: 1 }]),
    )
    assert.deepEqual(Object.keys(containerOf(slots, states).states), ['a/run', 'a/session'])
    const session = containerOf(slots, states, 'session')
    assert.deepEqual(Object.keys(session.states), ['a/session'])
    assert.equal(session.schemaSignature, 'a/run,a/session')
    assert.deepEqual(reconcile(session, slots).changes, [])
  })

  test('is the same for any order of middleware', () => {
    const slots = [counter('a/x'), counter('b/x'), counter('c/x')]
    assert.equal(signatureOf(slots), signatureOf(slots.toReversed()))
    assert.equal(signatureOf([]), '')
  })
})

describe('stored states loaded by the current code', () => {
  test('[C-29] matching signatures and versions: the states load without a log line or event', () => {
    const slots = [counter('a/x'), third]
    const container = containerOf(slots, { 'a/x': { count: 1 }, 'app/counter': { count: 2 } })
    const { states, changes } = reconcile(JSON.parse(JSON.stringify(container)), slots)
    assert.deepEqual(states, container.states)
    assert.deepEqual(changesToEvents(changes, container.schemaSignature, signatureOf(slots)), [])
  })

  test('[C-29] a missing signature logs a line and counts as an upgrade', () => {
    const slots = [counter('a/x'), counter('a/y')]
    const old = { ...stored({ 'a/x': { count: 1 } }), schemaSignature: null, stateVersions: null }
    const { states, changes } = reconcile(old, slots)
    assert.deepEqual(states, { 'a/x': { count: 1 } })
    assert.deepEqual(changesToEvents(changes, null, signatureOf(slots)), [
      {
        type: 'log',
        level: 'info',
        message:
          'Resuming from checkpoint created before schema versioning. Upgrading to current schema.',
      },
      { type: 'schema-changed', isUpgrade: true, before: null, now: 'a/x,a/y', migrated: [] },
    ])
  })

  test('[C-29] without a signature a state counts as version 1 and is migrated from there', () => {
    const old = {
      ...stored({ 'app/counter': { count: '7' } }),
      schemaSignature: null,
      stateVersions: null,
    }
    const { states, changes } = reconcile(old, [third])
    assert.deepEqual(states, { 'app/counter': { count: 7 } })
    assert.deepEqual(
      changes.map(({ type }) => type),
      ['upgraded', 'migrated'],
    )
  })

  test('[C-29] removed middleware: a warning names it, and its state is discarded', () => {
    const slots = [counter('a/x')]
    const all = ['a/x', 'b/old', 'b/older']
    const container = containerOf(
      all.map((key) => counter(key)),
      Object.fromEntries(all.map((key) => [key, { count: 1 }])),
    )
    const { states, changes } = reconcile(container, slots)
    assert.deepEqual(states, { 'a/x': { count: 1 } })
    assert.deepEqual(changesToEvents(changes, container.schemaSignature, signatureOf(slots)), [
      {
        type: 'log',
        level: 'warning',
        message:
          'Checkpoint contains state for 2 middleware that no longer exist: b/old, b/older. State will be discarded.',
      },
      {
        type: 'schema-changed',
        isUpgrade: false,
        before: 'a/x,b/old,b/older',
        now: 'a/x',
        migrated: [],
      },
    ])
  })

  test('[C-29] new middleware: a log line names it, and it starts with its default', () => {
    const slots = [counter('a/x'), counter('b/new')]
    const container = containerOf([counter('a/x')], { 'a/x': { count: 1 } })
    const { states, changes } = reconcile(container, slots)
    assert.deepEqual(states, { 'a/x': { count: 1 } })
    const [log, changed] = changesToEvents(changes, 'a/x', signatureOf(slots))
    assert.deepEqual(log, {
      type: 'log',
      level: 'info',
      message:
        'Detected 1 new middleware not present in checkpoint: b/new. State will be initialized to defaults.',
    })
    assert.ok(changed?.type === 'schema-changed' && !changed.isUpgrade)
  })

  test('[C-29] a state that became shared is discarded like one without middleware', () => {
    const container = containerOf([counter('a/x')], { 'a/x': { count: 1 } })
    const { states, changes } = reconcile(container, [counter('a/x', 'shared')])
    assert.deepEqual([states, changes], [{}, [{ type: 'dropped', names: ['a/x'] }]])
  })

  test('[C-29] a raised version is migrated step by step from any version', () => {
    const from = (version: number, state: Json) =>
      reconcile(stored({ 'app/counter': state }, { 'app/counter': version }), [third])
    for (const [version, state] of [
      [1, { count: '7' }],
      [2, { counts: ['3', '4'] }],
    ] as const) {
      const { states, changes } = from(version, state)
      assert.deepEqual(states, { 'app/counter': { count: 7 } })
      assert.deepEqual(changes, [
        { type: 'migrated', key: 'app/counter', from: version, to: 3 },
      ] satisfies readonly StateChange[])
    }
    assert.deepEqual(from(3, { count: 7 }).changes, [])
  })

  test('[C-29] a raised version without a migration step is rejected', () => {
    const slot = slotOf('app/counter', {
      version: 3,
      schema: Count,
      initial: { count: 0 },
      migrate: { 1: () => ({ counts: [] }) },
    })
    const container = stored({ 'app/counter': { count: '7' } }, { 'app/counter': 1 })
    assert.match(refusalOf(container, slot), /of version 2, and no migration.*add migrate\[2\]/)
  })

  test('[C-29] a raised version is rejected if a step fails or returns an invalid value', () => {
    const steps: readonly (readonly [(old: JsonObject) => Json, RegExp])[] = [
      [() => assert.fail('boom'), /migrate\[1\] of app\/counter failed.*\(boom\)/],
      [() => ({ count: 'x' }), /from version 1 to 2 and does not fit its schema \(count: /],
      [migration(z.object({}), () => new Date(0)), /migrate\[1\].*JSON cannot hold/],
      [migration(z.object({}), async () => ({ count: 1 })), /migrate\[1\].*JSON cannot hold/],
      [migration(z.object({ other: z.string() }), () => 1), /migrate\[1\].*\(other: /],
      [() => ({ count: 1, more: 'x'.repeat(MOST_STATE_BYTES) }), /takes \d+ bytes/],
    ]
    const container = stored({ 'app/counter': { count: '7' } }, { 'app/counter': 1 })
    for (const [step, reason] of steps) {
      const migrate = { 1: step }
      const schema = z.looseObject({ count: z.number() })
      const slot = slotOf('app/counter', { version: 2, schema, initial: { count: 0 }, migrate })
      assert.match(refusalOf(container, slot), reason)
    }
  })

  test('a state that is not an object cannot be migrated and is rejected', () => {
    const slot = slotOf('a/x', { version: 2, schema: Count, initial: { count: 0 } })
    const migrating = { ...slot, migrate: { 1: () => ({ count: 1 }) } }
    assert.match(refusalOf(stored({ 'a/x': 3 }, { 'a/x': 1 }), migrating), /not an object/)
  })

  test('[C-29] a version newer than the code is rejected', () => {
    const container = stored({ 'app/counter': { count: 7 } }, { 'app/counter': 4 })
    assert.match(refusalOf(container, third), /of version 4, .* up to 3; load it with the newer/)
  })

  test('[C-29] a state of the current version that does not fit its schema is rejected', () => {
    const container = stored({ 'app/counter': { count: '7' } }, { 'app/counter': 3 })
    assert.match(
      refusalOf(container, third),
      /of version 3 but does not fit its schema \(count: .*\); raise the version/,
    )
  })

  test('[C-29] an added optional field needs no new version', () => {
    const schema = Count.extend({ reason: z.string().optional(), since: z.number().default(0) })
    const slot = slotOf('a/x', { version: 1, schema, initial: { count: 0, since: 0 } })
    const { states, changes } = reconcile(stored({ 'a/x': { count: 1 } }, { 'a/x': 1 }), [slot])
    assert.deepEqual([states, changes], [{ 'a/x': { count: 1 } }, []])
  })

  test('a version raised before the state was ever stored is not a change', () => {
    assert.deepEqual(reconcile(stored({}, { 'app/counter': 1 }), [third]), {
      states: {},
      changes: [],
    })
  })

  test('names of Object.prototype members work as state names', () => {
    const states: JsonObject = JSON.parse('{"__proto__":{"count":1},"constructor":{"count":2}}')
    const container = stored(states)
    const slot = counter('constructor')
    const { states: loaded, changes } = reconcile(container, [slot])
    assert.deepEqual(loaded, { constructor: { count: 2 } })
    assert.deepEqual(changes, [{ type: 'dropped', names: ['__proto__'] }])
  })

  test('loads its own output unchanged, and never loads anything that does not fit', () => {
    const keys = fc.uniqueArray(fc.constantFrom('a/x', 'a/y', 'b/x', 'b/y'))
    const scope = fc.constantFrom<StateScope>('run', 'session', 'shared')
    fc.assert(
      fc.property(keys, keys, scope, fc.jsonValue(), (before, now, kind, odd) => {
        const slots = now.map((key) => counter(key, kind))
        const states = Object.fromEntries(before.map((key) => [key, { count: 1 }]))
        const own = containerOf(slots, states)
        assert.deepEqual(reconcile(own, slots), { states: own.states, changes: [] })
        const { states: loaded, changes } = reconcile(
          stored({ ...states, 'a/x': JSON.parse(JSON.stringify(odd)) }),
          slots,
        )
        for (const [key, state] of Object.entries(loaded)) {
          const slot = slots.find((one) => one.key === key)
          assert.ok(slot !== undefined && slot.scope !== 'shared')
          assert.equal(slot.refusal(state), undefined)
        }
        const told = changesToEvents(changes, '', signatureOf(slots))
        assert.equal(told.length, changes.length === 0 ? 0 : changes.length + 1)
      }),
    )
  })
})

describe('rejected states', () => {
  test('[C-29] are thrown together, each with what to do', () => {
    const slots = [counter('a/x'), third]
    const container = stored(
      { 'a/x': { count: '1' }, 'app/counter': { count: 7 } },
      { 'a/x': 1, 'app/counter': 9 },
    )
    const { changes } = reconcile(container, slots)
    assert.throws(
      () => checkRefusals(changes),
      (error: unknown) => {
        assert.ok(error instanceof EchelonError && error.code === 'STATE_REFUSED')
        assert.match(error.message, /a\/x .*raise the version[^\n]*\n.*app\/counter .*newer code/)
        assert.deepEqual(error.details, { states: ['a/x', 'app/counter'] })
        return true
      },
    )
    const told = changesToEvents(changes, container.schemaSignature, signatureOf(slots))
    assert.deepEqual(
      told.flatMap((event) => (event.type === 'log' ? event.level : [])),
      ['error', 'error'],
    )
  })

  test('are the only ones that throw', () => {
    checkRefusals([])
    checkRefusals([{ type: 'upgraded' }, { type: 'dropped', names: ['a/x'] }])
    assert.throws(() => checkRefusals([{ type: 'refused', key: 'a/x', reason: 'no' }]))
  })
})
