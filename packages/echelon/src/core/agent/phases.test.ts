import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect } from './effect.ts'
import type { Observation } from './observation.ts'
import { byPhase } from './phases.ts'

type State =
  | { readonly phase: 'greet'; readonly said: number }
  | { readonly phase: 'rest'; readonly until: number }
  | { readonly phase: 'done' }

const METER = { at: 7, spent: { steps: 1 }, limits: {} }
const others: Observation[] = []

const table = byPhase<State, string, Effect>(
  {
    greet: {
      effect: 'say',
      do: ({ said }) => ({ type: 'say', actor: 'a', text: `hello ${said}` }),
      said: (here, _seen, { at }) => ({ state: { phase: 'rest', until: here.said + at } }),
      refused: (_here, { limit }) => ({
        state: { phase: 'done' },
        notes: [{ stage: 'refused', data: { limit } }],
      }),
    },
    rest: {
      effect: 'sleep',
      do: ({ until }) => ({ type: 'sleep', actor: 'a', untilMs: until }),
      woke: () => ({ state: { phase: 'done' } }),
    },
    done: { finish: () => ({ type: 'finish', reason: 'enough', result: 'bye' }) },
  },
  (state, seen) => {
    others.push(seen)
    return { state }
  },
)

test('each phase performs the effect of its row, and finishes where the row says so', () => {
  assert.deepEqual(table.next({ phase: 'greet', said: 2 }), {
    type: 'say',
    actor: 'a',
    text: 'hello 2',
  })
  assert.deepEqual(table.next({ phase: 'done' }), {
    type: 'finish',
    reason: 'enough',
    result: 'bye',
  })
})

test('an observation goes to the handler of its row, with state and meter', () => {
  const greet = { phase: 'greet', said: 2 } as const
  assert.deepEqual(table.observe(greet, { type: 'said' }, METER), {
    state: { phase: 'rest', until: 9 },
  })
  const refused = { type: 'refused', by: 'budget', limit: 'steps', message: '' } as const
  assert.deepEqual(table.observe(greet, refused, METER), {
    state: { phase: 'done' },
    notes: [{ stage: 'refused', data: { limit: 'steps' } }],
  })
})

test('observations that a row does not name go to the common handler', () => {
  const rest = { phase: 'rest', until: 1 } as const
  const heard = { type: 'heard', text: 'stop' } as const
  assert.deepEqual(table.observe(rest, heard, METER), { state: rest })
  assert.deepEqual(others, [heard])
})

test('a state in an unknown phase is a definition error, even one named like a built-in property', () => {
  for (const phase of ['nowhere', 'constructor', '__proto__']) {
    const lost: State = JSON.parse(JSON.stringify({ phase }))
    assert.throws(() => table.next(lost), {
      code: 'INVALID_DEFINITION',
      message: /there is no phase/,
    })
    assert.throws(() => table.observe(lost, { type: 'said' }, METER), {
      code: 'INVALID_DEFINITION',
    })
  }
})
