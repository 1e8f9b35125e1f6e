import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { folderFor, type Ran, runCommand } from '../cli/src/testing/run-command.ts'
import { defineMiddleware } from '../packages/echelon/src/core/extension/define-middleware.ts'
import type { RunEvent } from '../packages/echelon/src/core/agent/event.ts'
import type { Entry, Started } from '../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../packages/echelon/src/core/value/json.ts'
import type { Middleware } from '../packages/echelon/src/core/extension/defined-middleware.ts'
import { recordedStates } from '../packages/echelon/src/core/journal/journaled-states.ts'
import {
  changesToEvents,
  checkRefusals,
  containerOf,
  reconcile,
  signatureOf,
} from '../packages/echelon/src/core/state/state-container.ts'
import {
  fingerprintRefusals,
  fingerprintsOf,
} from '../packages/echelon/src/core/state/state-fingerprint.ts'
import type { StateContainer } from '../packages/echelon/src/core/state/state.ts'
import type { ToolOutcome } from '../packages/echelon/src/core/tool/tool.ts'
import { compose } from '../packages/echelon/src/middleware/compose.ts'
import { type TestRun, testRun } from '../packages/echelon/src/testing/middleware-run.ts'
import first, { breaker as firstBreaker } from './state-evolution/step-1.ts'
import second, { breaker as secondBreaker } from './state-evolution/step-2.ts'
import third, { breaker as thirdBreaker } from './state-evolution/step-3.ts'

const KEY = 'app/circuitBreaker'

/** The state as a store has it: written by these middleware and serialized to JSON and back. */
function storedBy(middlewares: readonly Middleware[], state: Json): StateContainer {
  const container = containerOf(compose(middlewares).slots, { [KEY]: state }, 'session')
  return JSON.parse(JSON.stringify(container))
}

/** A run of these middleware that starts with stored states, and its events about them. */
function resumed(
  stored: StateContainer,
  middlewares: readonly Middleware[],
): { readonly run: TestRun; readonly told: readonly RunEvent[] } {
  const { slots } = compose(middlewares)
  const { states, changes } = reconcile(stored, slots)
  checkRefusals(changes)
  const told = changesToEvents(changes, stored.schemaSignature, signatureOf(slots))
  return { run: testRun({ saved: states }), told }
}

/** The third step without what makes it safe: another type, and an unchanged version. */
const unraised = defineMiddleware({
  name: 'circuitBreaker',
  state: {
    version: 1,
    scope: 'session',
    schema: z.object({ consecutiveErrors: z.string() }),
    initial: { consecutiveErrors: '0' },
  },
})

/** The third step without a migration from the second. */
const unmigrated = defineMiddleware({
  name: 'circuitBreaker',
  state: {
    version: 2,
    scope: 'session',
    schema: z.object({ consecutiveErrors: z.string() }),
    initial: { consecutiveErrors: '0' },
  },
})

describe('a state that changes with its middleware', () => {
  test('[C-29] step 1: it is stored with its version and loaded unchanged, without an event', () => {
    const stored = storedBy(first, { consecutiveErrors: 2 })
    assert.deepEqual(stored, {
      states: { [KEY]: { consecutiveErrors: 2 } },
      schemaSignature: KEY,
      schemaVersion: 1,
      stateVersions: { [KEY]: 1 },
    })
    const { run, told } = resumed(stored, first)
    assert.deepEqual(firstBreaker().read?.(run), { consecutiveErrors: 2 })
    assert.deepEqual(told, [])
  })

  test('[C-29] step 2: a new optional field needs no version, and an old state loads', () => {
    const { run, told } = resumed(storedBy(first, { consecutiveErrors: 2 }), second)
    const { consecutiveErrors, reason } = secondBreaker().read?.(run) ?? {}
    assert.deepEqual([consecutiveErrors, reason], [2, 'none'])
    assert.deepEqual(told, [])
    const committed = fingerprintsOf(compose(first).slots)
    assert.deepEqual(fingerprintRefusals(committed, compose(second).slots), [])
  })

  test('[C-29] step 3: another type needs a version, and states of both earlier steps are migrated', () => {
    for (const [stored, reason] of [
      [storedBy(first, { consecutiveErrors: 2 }), 'none'],
      [storedBy(second, { consecutiveErrors: 2, reason: 'slow' }), 'slow'],
    ] as const) {
      const { run, told } = resumed(stored, third)
      assert.deepEqual(thirdBreaker().read?.(run), { consecutiveErrors: '2', reason })
      assert.deepEqual(told, [
        {
          type: 'log',
          level: 'info',
          message: `Migrated the state of ${KEY} from version 1 to 2.`,
        },
        {
          type: 'schema-changed',
          isUpgrade: false,
          before: KEY,
          now: KEY,
          migrated: [{ key: KEY, from: 1, to: 2 }],
        },
      ])
    }
  })

  test('[C-29] step 3 without its version fails a test before release, and loads nothing', () => {
    const [refusal = ''] = fingerprintRefusals(
      fingerprintsOf(compose(second).slots),
      compose([unraised()]).slots,
    )
    assert.match(refusal, /consecutiveErrors: integer is now consecutiveErrors: string/)
    assert.match(refusal, /reason\?: string is gone/)
    assert.match(refusal, /raise its version to 2 and add migrate\[1\]$/)
    assert.throws(() => resumed(storedBy(second, { consecutiveErrors: 2 }), [unraised()]), {
      code: 'STATE_REFUSED',
      message: /is of version 1 but does not fit its schema .*raise the version/,
    })
  })

  test('[C-29] step 3 without a migration rejects stored states, and says what is missing', () => {
    assert.throws(() => resumed(storedBy(second, { consecutiveErrors: 2 }), [unmigrated()]), {
      code: 'STATE_REFUSED',
      message: /is of version 1, and no migration leads from there; add migrate\[1\]/,
    })
  })

  test('[C-29] a program of an earlier step rejects states of a later one', () => {
    assert.throws(() => resumed(storedBy(third, { consecutiveErrors: '2' }), second), {
      code: 'STATE_REFUSED',
      message: /is of version 2, and the code knows versions up to 1; load it with the newer code/,
    })
  })
})

describe('the states of a run that is resumed in another process', () => {
  test('[C-31] are those of its journal, whatever middleware did before the crash', async () => {
    const slots = compose(counting).slots
    const before = testRun({ saved: { 'app/calls': { count: 4 } } })
    const started = { ...STARTED, states: containerOf(slots, { 'app/calls': { count: 4 } }) }
    await counting[0].tool?.({ id: 'c0', tool: 'add', input: {} }, async () => DONE, before)
    const entries: readonly Entry[] = [
      started,
      { type: 'settled', path: '', seq: 0, call: 0, outcome: DONE, states: before.record() },
    ]
    const stored = recordedStates(JSON.parse(JSON.stringify(entries)))
    assert.ok(stored !== undefined)
    const { run, told } = resumed(stored, counting)
    assert.deepEqual([counting[0].read?.(run), told], [{ count: 5 }, []])
  })
})

const DONE: ToolOutcome = { type: 'ok', value: 1 }

const counting = [
  defineMiddleware({
    name: 'calls',
    state: { version: 1, schema: z.object({ count: z.number() }), initial: { count: 0 } },
    async tool(call, next, { update }) {
      update(({ count }) => ({ count: count + 1 }))
      return next(call)
    },
  })(),
] as const

const STARTED: Started = {
  type: 'started',
  path: '',
  runId: 'run-1',
  agent: 'any',
  version: 1,
  input: null,
  at: 0,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
}

describe('echelon state doctor, with a stored state of an older version', () => {
  const AT = join(import.meta.dirname, 'state-evolution')

  function doctor(t: TestContext, stored: StateContainer, step: string): Promise<Ran> {
    const folder = folderFor(t)
    const session = {
      kind: 'echelon-session',
      version: 1,
      id: 's-1',
      agent: { name: 'chat', version: 1 },
      messages: [],
      states: stored,
    }
    writeFileSync(join(folder, 'session.json'), JSON.stringify(session))
    return runCommand(
      ['state', 'doctor', 'session.json', '--agent', join(AT, `${step}.ts`)],
      folder,
    )
  }

  test('[C-29] says whether it would load, be migrated or be rejected, and exits accordingly', async (t) => {
    const old = storedBy(first, { consecutiveErrors: 2 })
    const kept = await doctor(t, old, 'step-2')
    assert.equal(kept.stderr, '')
    assert.deepEqual([kept.status, kept.stdout.includes('1 of 1 would load')], [0, true])
    const migrated = await doctor(t, old, 'step-3')
    assert.equal(migrated.status, 0)
    assert.match(migrated.stdout, /migrated {2,}app\/circuitBreaker: version 1 to 2/)
    const back = await doctor(t, storedBy(third, { consecutiveErrors: '2' }), 'step-1')
    assert.equal(back.status, 1)
    assert.match(back.stdout, /refused {2,}the stored state of app\/circuitBreaker is of version 2/)
  })
})
