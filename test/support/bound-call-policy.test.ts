import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IntentsRegistry } from '../../src/agents/support/intents-registry.ts'
import { boundCallPolicy } from '../../src/agents/support/plugged/bound-call-policy.ts'
import { supportAgent } from '../../src/agents/support/turn/support-definition.ts'
import { NOTHING_SAID } from '../../src/core/thread.ts'
import { testHost } from '../../src/testing/middleware-host.ts'
import { PlainPolicy } from './kit.ts'

test('[S-11] where nothing is worked on, a call that a person must allow is allowed by nobody', async () => {
  const registry = new IntentsRegistry({ intents: [], tiers: [], redactedParams: [] })
  const accept = { embedded: 1, small: 1, big: 1 }
  const settings = { registry, reader: null, rungs: [], accept, words: null, maxAsks: 3, tools: [] }
  const interaction = { id: 'm', text: 'hi', customerId: null, context: {} }
  const { state } = supportAgent(settings).start(
    { sessionId: 's', interaction, review: null },
    { at: 0, seed: 1, runId: 'r', timeZone: 'UTC', limits: {}, history: NOTHING_SAID },
  )
  const policy = new PlainPolicy(() => ({
    allowed: false,
    violations: ['it is a lot'],
    requiresEscalation: true,
  }))
  const call = { id: 'c', tool: 'issue_refund', input: {} }
  const verdict = await boundCallPolicy(policy, () => state).permit?.(
    { type: 'call', call },
    async () => ({ type: 'allow' }),
    testHost(),
  )
  assert.deepEqual(verdict, { type: 'deny', reason: 'it is a lot' })
})
