import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { permissions, shadow } from '../../packages/echelon/src/middleware.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime.ts'
import { add, asksToAdd, eventsOf, isError, model } from './kit.ts'

const policy = permissions({ rules: [{ name: 'no-adding', tools: 'add', verdict: 'deny' }] })

test('[C-34] an agent with a shadowed policy acts as before, and reports what the policy would not allow', async () => {
  const journal = new MemoryJournal()
  const agent = createAgent({
    model: model([asksToAdd(1, 2), 'three', asksToAdd(2, 2), 'four']),
    tools: [add],
    use: [shadow(policy)],
    journal,
  })
  const session = agent.session()
  const run = agent.run('1 + 2?', { session })
  const would = (await eventsOf(run)).flatMap((event) =>
    event.type === 'middleware' ? [event.data] : [],
  )
  const common = { tool: 'add', rule: 'no-adding', would: 'deny', holds: 'allow' }
  const reason = 'add is not allowed here'
  assert.deepEqual(would, [
    { request: 'offer', ...common, reason },
    { request: 'call', call: 'call-1-1', ...common, reason },
    { request: 'offer', ...common, reason },
  ])
  assert.equal((await run.result).text, 'three')

  // The counts continue in the conversation, and in another process.
  const restored = agent.restoreSession(JSON.parse(JSON.stringify(session.checkpoint())))
  const { state } = await agent.run('2 + 2?', { session: restored }).result
  assert.deepEqual(state.middleware.shadow.rules, { 'no-adding': { allow: 0, ask: 0, deny: 6 } })
  const resumed = await agent.resume(run.id)
  const { rules } = (await resumed.result).state.middleware.shadow
  assert.deepEqual(rules, { 'no-adding': { allow: 0, ask: 0, deny: 3 } })
})

test('[C-34] enforced, the same policy denies; in the shadow not even a turn is denied', async () => {
  const nobody = permissions({ turn: () => 'closed' })
  const enforcing = createAgent({ model: model([]), use: [nobody] })
  await assert.rejects(enforcing.run('hello').result, isError('NOT_PERMITTED', /closed/))
  const watching = createAgent({ model: model(['hello']), use: [shadow(nobody)] })
  const { text, state } = await watching.run('hello').result
  assert.equal(text, 'hello')
  assert.deepEqual(state.middleware.shadow.rules, { turn: { allow: 0, ask: 0, deny: 1 } })
})
