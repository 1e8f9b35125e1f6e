import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assistAgent } from '../../packages/assist/src/assist-definition.ts'
import { lockedIntent } from '../../packages/assist/src/intent/locked-intent.ts'
import { readReport } from '../../packages/assist/src/read-report.ts'
import type { Effect } from '../../packages/echelon/src/core/agent/effect.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { Thread } from '../../packages/echelon/src/core/message/thread.ts'
import { systemIds } from '../../packages/echelon/src/platform/ids.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import { ToolRegistry } from '../../packages/echelon/src/runtime/tools/tool-registry.ts'
import { openStore } from '@echelon/store'
import { asBound, scriptedModel, SetClock } from 'echelon/testing'
import { settingsOf } from './fixtures.ts'
import { plain } from './turns.ts'

const messages = Thread.of([])
const MEMORIES = ['intent', 'plans', 'evaluations']

/** The runtime's response to an effect that a layer requests in the middle of a turn. */
async function asking(effect: Effect) {
  const { memories } = await openStore(':memory:')
  const model = scriptedModel([])
  const agent = assistAgent(settingsOf([]))
  const seen: Observation[] = []
  const overstepping: typeof agent = {
    ...agent,
    next: (state) =>
      state.phase === 'recalling-plans' && seen.length === 0 ? effect : agent.next(state),
    observe(state, observed, meter) {
      if (state.phase !== 'recalling-plans' || seen.length > 0) {
        return agent.observe(state, observed, meter)
      }
      seen.push(observed)
      return { state }
    },
  }
  const heard: string[] = []
  const bound = asBound(model)
  const run = startRun(
    overstepping,
    { text: 'stop' },
    {
      models: { planner: bound, executor: bound, evaluator: bound },
      tools: new ToolRegistry([]),
      artifacts: { write: () => Promise.reject(new Error('no files')) },
      clock: new SetClock(),
      ids: systemIds,
      timeZone: 'UTC',
      limits: {},
      memory: memories,
      listeners: [{ hear: (event) => heard.push(event.type === 'said' ? event.text : '') }],
    },
  )
  await run.result
  const kept = await Promise.all(MEMORIES.map((name) => memories.read(name, null)))
  return { seen: seen[0], kept, calls: model.calls, heard: heard.join('') }
}

const OVERSTEPS: readonly (readonly [string, Effect, string])[] = [
  [
    'the executor repairs its own answer by what was made of it',
    { type: 'recall', actor: 'executor', memory: 'evaluations' },
    'read:evaluations',
  ],
  [
    'the executor plans anew for itself',
    { type: 'generate', actor: 'executor', role: 'planner', messages },
    'role:planner',
  ],
  [
    'the planner writes evaluations',
    { type: 'remember', actor: 'planner', memory: 'evaluations', value: 1 },
    'write:evaluations',
  ],
  [
    'the evaluator writes plans',
    { type: 'remember', actor: 'evaluator', memory: 'plans', value: 1 },
    'write:plans',
  ],
  ['the evaluator speaks', { type: 'say', actor: 'evaluator', text: 'MINE' }, 'speak'],
  [
    'the evaluator shows what it writes',
    { type: 'generate', actor: 'evaluator', role: 'evaluator', messages, show: 'user' },
    'speak',
  ],
  [
    'the evaluator calls a tool',
    { type: 'call-tools', actor: 'evaluator', calls: [{ id: '1', tool: 'rm', input: {} }] },
    'tool:rm',
  ],
  ...['keeper', 'planner', 'executor', 'evaluator'].map((actor) => {
    const effect: Effect = { type: 'remember', actor, memory: 'intent', value: 1 }
    return [`the ${actor} writes the intent`, effect, 'write:intent'] as const
  }),
]

describe('the runtime refuses a layer', () => {
  for (const [what, effect, limit] of OVERSTEPS) {
    test(`[L-10] when ${what}`, async () => {
      const { seen, kept, calls, heard } = await asking(effect)
      assert.ok(seen?.type === 'refused')
      assert.deepEqual([seen.by, seen.limit], ['capability', limit])
      assert.equal(calls.length, 0)
      assert.equal(heard, 'I stop here.')
      const [intent, plans] = kept
      assert.deepEqual([intent?.version, plans?.version], [0, 0])
      assert.notEqual(kept[2]?.value, 1)
    })
  }
})

test('[L-1, L-10] the memory given to runs refuses every write of the intent', async () => {
  const { memories } = await openStore(':memory:')
  const locked = lockedIntent(memories)
  await assert.rejects(locked.write('intent', 1, { key: 'k' }), /runs cannot write the intent/)
  assert.equal((await memories.read('intent', null)).version, 0)
  assert.equal(await locked.write('plans', 1, { key: 'k' }), 1)
})

describe('[L-11] a report', () => {
  const facts = {
    turn: 1,
    user_words: 1,
    answer_words: 1,
    asked: false,
    approach: 'a',
    altitude: 'L3',
    sentences: [1],
  }
  const report = { user_input: 'hi', draft: null, earlier: [facts] }

  test('states what happened', () => {
    assert.deepEqual(readReport(plain(report)), report)
  })

  for (const [what, value] of [
    ['judges', { ...report, verdict: 'drift' }],
    ['judges an earlier turn', { ...report, earlier: [{ ...facts, was_good: true }] }],
    ['brings words of an earlier turn', { ...report, earlier: [{ ...facts, text: 'hi' }] }],
    ['leaves something out', { user_input: 'hi', draft: null }],
    ['tells an earlier turn otherwise', { ...report, earlier: ['fine'] }],
    ['is not an object', 'fine'],
  ] as const) {
    test(`is refused if it ${what}`, () => {
      assert.throws(() => readReport(value), /the report is refused/)
    })
  }
})
