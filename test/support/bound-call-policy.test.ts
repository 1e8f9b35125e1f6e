import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IntentsRegistry } from '../../src/agents/support/intents-registry.ts'
import { boundCallPolicy } from '../../src/agents/support/plugged/bound-call-policy.ts'
import { begun } from '../../src/agents/support/turn/plan-execution.ts'
import { supportAgent } from '../../src/agents/support/turn/support-definition.ts'
import type { SupportState } from '../../src/agents/support/turn/support-state.ts'
import { NOTHING_SAID } from '../../src/core/thread.ts'
import { testHost } from '../../src/testing/middleware-host.ts'
import { PlainPolicy } from './kit.ts'

const call = { id: 'c', tool: 'issue_refund', input: {} }

const POLICY = new PlainPolicy(() => ({
  allowed: false,
  violations: ['it is a lot'],
  requiresEscalation: true,
}))

/** A conversation in which nothing is worked on. */
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

/** A plan to refund is worked on, and a person has allowed it or not. */
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

const verdictOf = async (state: SupportState): Promise<unknown> =>
  boundCallPolicy({
    policy: POLICY,
    standing: () => state,
    dataSource: { getOrder: async () => null },
    hash: (text) => text,
  }).permit?.({ type: 'call', call }, async () => ({ type: 'allow' }), testHost())

test('[S-11] where nothing is worked on, a call that a person must allow is allowed by nobody', async () => {
  assert.deepEqual(await verdictOf(idle()), { type: 'deny', reason: 'it is a lot' })
})

test('[S-11] an open plan that no person has allowed allows no call', async () => {
  assert.deepEqual(await verdictOf(working(null)), { type: 'deny', reason: 'it is a lot' })
  assert.deepEqual(await verdictOf(working('ada')), { type: 'allow' })
})
