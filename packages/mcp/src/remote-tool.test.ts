import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyFor } from './remote-tool.ts'

const READS = { readOnlyHint: true }
const IDEMPOTENT = { readOnlyHint: false, idempotentHint: true }

test('a tool that is not declared read-only asks', () => {
  const reads = { does: 'reads', needsApproval: false }
  assert.deepEqual(policyFor(READS, 'reads', {}), reads)
  assert.deepEqual(policyFor(IDEMPOTENT, 'reads', {}), { does: 'idempotent', needsApproval: true })
  const acts = { does: 'acts', needsApproval: true }
  for (const silent of [undefined, {}, { destructiveHint: false }, { title: 'reads' }]) {
    assert.deepEqual(policyFor(silent, 'reads', {}), acts)
  }
})

test('trust nothing: every tool asks', () => {
  assert.deepEqual(policyFor(READS, 'nothing', {}), { does: 'acts', needsApproval: true })
})

test('trust everything: no tool asks', () => {
  assert.deepEqual(policyFor(undefined, 'everything', {}), { does: 'acts', needsApproval: false })
})

test('a rule overrides the annotations of the server', () => {
  const rule = { does: 'reads' } as const
  assert.deepEqual(policyFor(undefined, 'nothing', rule), { does: 'reads', needsApproval: false })
  const asks = { needsApproval: true }
  assert.deepEqual(policyFor(READS, 'everything', asks), { does: 'reads', needsApproval: true })
})
