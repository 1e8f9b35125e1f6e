import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IntentsRegistry } from '../../packages/support/src/intents-registry.ts'
import { callPolicy } from '../../packages/support/src/plugged/call-policy.ts'
import { begun } from '../../packages/support/src/turn/plan-execution.ts'
import { supportAgent } from '../../packages/support/src/turn/support-definition.ts'
import type { SupportState } from '../../packages/support/src/turn/support-state.ts'
import type { PolicyEngine } from '../../packages/support/src/primitives/policy-engine.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { NOTHING_SAID } from '../../packages/echelon/src/core/message/thread.ts'
import { testRun } from '../../packages/echelon/src/testing/middleware-run.ts'
import { PlainPolicy } from './kit.ts'

const call = { id: 'c', tool: 'issue_refund', input: {} }

const POLICY = new PlainPolicy(() => ({
  allowed: false,
  violations: ['it is a lot'],
  requiresEscalation: true,
}))

/** A conversation without a task. */
function idle(): SupportState {
  const registry = new IntentsRegistry({ intents: [], tiers: [], redactedParams: [] })
  const accept = { embedded: 1, small: 1, big: 1 }
  const settings = { registry, reader: null, rungs: [], accept, words: null, maxAsks: 3, tools: [] }
  const interaction = { id: 'm', text: 'hi', customerId: null, context: {} }
  return supportAgent(settings).start(
    { sessionId: 's', interaction, review: null },
    { at: 0, seed: 1, runId: 'r', timeZone: 'UTC', limits: {}, history: NOTHING_SAID },
  ).state
}

/** A plan to refund is in progress, with or without a person's approval. */
const working = (approvedBy: string | null): SupportState => ({
  ...idle(),
  task: {
    intentId: 'refund',
    params: {},
    execution: begun('p', 'refund', []),
    reasoning: '',
    failedAsks: 0,
    isConfirmed: true,
    approvedBy,
    done: [],
    announced: null,
  },
})

const verdictOf = async (
  state: SupportState,
  policy: PolicyEngine = POLICY,
  ahead: { readonly ahead?: true } = {},
): Promise<unknown> =>
  callPolicy({
    policy,
    standing: () => state,
    dataSource: { getOrder: async () => null },
    hash: (text) => text,
  }).permit?.({ type: 'call', call, ...ahead }, async () => ({ type: 'allow' }), testRun())

test("[S-11] without a task, a call that needs a person's approval is refused", async () => {
  assert.deepEqual(await verdictOf(idle()), { type: 'deny', reason: 'it is a lot' })
})

test("[S-11] an open plan without a person's approval allows no call", async () => {
  assert.deepEqual(await verdictOf(working(null)), { type: 'deny', reason: 'it is a lot' })
  assert.deepEqual(await verdictOf(working('ada')), { type: 'allow' })
})

test('[S-5] an engine that throws allows nothing, whatever it throws', async () => {
  const policy: PolicyEngine = {
    validate: () => {
      throw new EchelonError('STORE_UNUSABLE', 'no disk')
    },
  }
  const reason = 'the rules cannot be checked at the moment'
  const denied = { type: 'deny', reason, rule: 'undecided: no disk' }
  assert.deepEqual(await verdictOf(working('ada'), policy), denied)
})

test('[S-11] ahead, the engine sees the rest of the plan, and the verdict holds its decision', async () => {
  const seen: unknown[] = []
  const policy: PolicyEngine = {
    validate: ({ steps }) => {
      seen.push(steps)
      return { allowed: false, violations: ['it is a lot'], requiresEscalation: true }
    },
  }
  const state = working(null)
  const steps = [
    { when: 'pre', message: 'I refund it.' },
    { toolName: 'issue_refund', params: { order_id: 'O-1' } },
  ] as const
  const task = state.task && { ...state.task, execution: begun('p', 'refund', steps) }
  const verdict = await verdictOf({ ...state, task }, policy, { ahead: true })
  assert.deepEqual(seen, [steps])
  const details = {
    allowed: false,
    violations: ['it is a lot'],
    requiresEscalation: true,
    rules: [],
    rests: '[["issue_refund",{"order_id":"O-1"},null]]',
  }
  assert.deepEqual(verdict, { type: 'ask', why: 'it is a lot', details })
})

test('[S-11] ahead, nothing is allowed without a plan', async () => {
  const verdict = await verdictOf(idle(), POLICY, { ahead: true })
  assert.ok(typeof verdict === 'object' && verdict !== null && 'type' in verdict)
  assert.equal(verdict.type, 'deny')
})
