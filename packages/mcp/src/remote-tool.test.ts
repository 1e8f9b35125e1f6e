import assert from 'node:assert/strict'
import { test } from 'node:test'
import { treatment } from './remote-tool.ts'

const READS = { readOnlyHint: true }
const IDEMPOTENT = { readOnlyHint: false, idempotentHint: true }

test('what a server does not call read-only asks', () => {
  const reads = { does: 'reads', needsApproval: false }
  assert.deepEqual(treatment(READS, 'reads', {}), reads)
  assert.deepEqual(treatment(IDEMPOTENT, 'reads', {}), { does: 'idempotent', needsApproval: true })
  const acts = { does: 'acts', needsApproval: true }
  for (const silent of [undefined, {}, { destructiveHint: false }, { title: 'reads' }]) {
    assert.deepEqual(treatment(silent, 'reads', {}), acts)
  }
})

test('a server that is trusted in nothing is asked for in everything', () => {
  assert.deepEqual(treatment(READS, 'nothing', {}), { does: 'acts', needsApproval: true })
})

test('one that is trusted in everything is not asked for', () => {
  assert.deepEqual(treatment(undefined, 'everything', {}), { does: 'acts', needsApproval: false })
})

test('a rule holds against what the server says', () => {
  const rule = { does: 'reads' } as const
  assert.deepEqual(treatment(undefined, 'nothing', rule), { does: 'reads', needsApproval: false })
  const asks = { needsApproval: true }
  assert.deepEqual(treatment(READS, 'everything', asks), { does: 'reads', needsApproval: true })
})
