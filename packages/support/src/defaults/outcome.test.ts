import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExecutionContext } from '../primitives/tool-executor.ts'
import { JSONDataSource } from './json-data-source.ts'
import { LocalExecutor } from './local-executor.ts'

const REFUND = { toolName: 'issue_refund', params: { order_id: 'O-12346' } }

const under = (idempotencyKey: string): ExecutionContext => ({
  sessionId: 's',
  interactionId: 'i',
  customerId: 'C-001',
  idempotencyKey,
  execution: null,
})

test('[S-6] another process learns the outcome of a call without making it', async () => {
  const data = new JSONDataSource()
  const before = await data.getOrder('O-12346')
  const asked = await new LocalExecutor(data).outcome(REFUND, under('a'))
  assert.equal(asked, 'not-done')
  assert.deepEqual(await data.getOrder('O-12346'), before)

  const done = await new LocalExecutor(data).execute(REFUND, under('a'))
  const told = await new LocalExecutor(data).outcome(REFUND, under('a'))
  assert.ok(typeof told !== 'string' && told.success)
  assert.deepEqual(told.data, done.data)
  assert.equal(await new LocalExecutor(data).outcome(REFUND, under('b')), 'not-done')
})

test('[S-6] an unknown outcome is reported as unknown', async () => {
  const data = new JSONDataSource()
  const broken = new LocalExecutor(
    Object.assign(Object.create(data), {
      changeOrder: async () => {
        throw new Error('the connection was lost')
      },
      getOrder: async () => null,
    }),
  )
  assert.equal(await broken.outcome(REFUND, under('a')), 'unknown')
  // Another customer's order is hidden, which proves nothing.
  const own = new LocalExecutor(data, { enforceIdentity: true })
  assert.equal(await own.outcome(REFUND, { ...under('a'), customerId: 'C-002' }), 'unknown')
  const person = { toolName: 'hand_over', params: {} }
  assert.equal(await own.outcome(person, under('c')), 'unknown')
  assert.deepEqual(await data.handOvers(), [])
})
