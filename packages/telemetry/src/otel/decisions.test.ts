import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisionOf } from './decisions.ts'

test('[C-23] exports the facts of a verdict, a gate and an escalation, and no user text', () => {
  const metadata = { rung_model: 'openai/gpt-5-nano', round: 2 }
  const words = { output_summary: 'what somebody said', args: { q: 'secret' } }
  const verify = { rung: 'small', event: 'verified', metric: 1, metadata, ...words }
  assert.deepEqual(decisionOf({ stage: 'verify', data: verify }), {
    type: 'verdict',
    verdict: 'verified',
    facts: {
      'echelon.rung': 'small',
      'echelon.round': 2,
      'echelon.verdict.metric': 1,
      'echelon.verdict': 'verified',
    },
  })
  const act = { decision: 'escalate', metric: 0, ...words }
  assert.deepEqual(decisionOf({ stage: 'act', data: act }), {
    type: 'gate',
    decision: 'escalate',
    facts: { 'echelon.verdict.metric': 0, 'echelon.gate.decision': 'escalate' },
  })
  const details = { to: 'openai/gpt-5' }
  const escalate = { event: 'escalate_to_big', metadata, details, ...words }
  assert.deepEqual(decisionOf({ stage: 'escalate', data: escalate }), {
    type: 'escalation',
    facts: {
      'echelon.escalation.from': 'openai/gpt-5-nano',
      'echelon.escalation.to': 'openai/gpt-5',
    },
  })
})

test('[C-23] exports only the name of all other notes, if it looks like a name', () => {
  const data = { event: 'anything', text: 'somebody’s words' }
  assert.deepEqual(decisionOf({ stage: 'max-iterations', data }), {
    type: 'note',
    facts: { 'echelon.note.stage': 'max-iterations' },
  })
  assert.deepEqual(decisionOf({ stage: 'a sentence, said by somebody', data }), {
    type: 'note',
    facts: {},
  })
  assert.equal(decisionOf({ stage: 'escalate', data: { event: 'nothing_left' } }).type, 'note')
})
