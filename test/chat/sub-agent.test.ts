import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, agentWith, asksToAdd, eventsOf, model, source } from './kit.ts'

const ASKS_EXPERT = { toolCalls: [{ tool: 'ask_expert', input: { task: 'what is 2 + 3?' } }] }

describe('an agent as a tool of another', () => {
  const asTool = { name: 'ask_expert', description: 'knows sums' }

  test("works with its own model and tools, and shares the caller's budget", async () => {
    const expert = agentWith([asksToAdd(2, 3), '5'], { name: 'expert', tools: [add] })
    const scripted = scriptedModel([ASKS_EXPERT, 'it is 5'])
    const agent = createAgent({
      model: { id: 'p/m', model: scripted, price: () => 1 },
      tools: [expert.asTool(asTool)],
    })
    const { text, cost, usage } = await agent.run('2 + 3?').result
    assert.equal(text, 'it is 5')
    // Two calls of the one at a dollar each, two of the other at a dollar a token.
    assert.equal(cost, 32)
    assert.deepEqual(usage, { input: 40, output: 20 })
    assert.match(JSON.stringify(scripted.calls[1]?.prompt), /"value":"5"/)
  })

  test('answers its caller, not the user', async () => {
    const expert = agentWith(['five'], { name: 'expert' })
    const agent = agentWith([ASKS_EXPERT, 'it is 5'], { tools: [expert.asTool(asTool)] })
    const events = await eventsOf(agent.run('2 + 3?'))
    const shown = events.flatMap((event) => (event.type === 'text-delta' ? event.delta : []))
    assert.deepEqual(shown, ['it is 5'])
  })

  test('is loaded at its first task', async () => {
    const models = source({ 'p/m': model(['5'], 'p/m') })
    const expert = createAgent({ name: 'expert', model: 'p/m', registry: models })
    const agent = agentWith([ASKS_EXPERT, 'it is 5'], { tools: [expert.asTool(asTool)] })
    assert.deepEqual(models.asked, [])
    assert.equal((await agent.run('2 + 3?').result).text, 'it is 5')
    assert.deepEqual(models.asked, ['p/m'])
  })

  test('that ends without an answer reports why to its caller', async () => {
    const expert = agentWith([asksToAdd(2, 3)], { name: 'expert', tools: [add], maxIterations: 1 })
    const agent = agentWith([ASKS_EXPERT, 'no luck'], { tools: [expert.asTool(asTool)] })
    const { text, messages } = await agent.run('2 + 3?').result
    assert.equal(text, 'no luck')
    assert.match(JSON.stringify(messages), /error-text.*max-iterations/)
  })

  test("respects the caller's limits", async () => {
    const expert = agentWith([asksToAdd(2, 3), '5'], { name: 'expert', tools: [add] })
    const agent = agentWith([ASKS_EXPERT, 'never'], {
      tools: [expert.asTool(asTool)],
      limits: { calls: 2 },
    })
    const { reason } = await agent.run('2 + 3?').result
    assert.equal(reason, 'budget:calls.main')
  })
})

test('a turn of a session resumes from its journal, with the earlier messages', async () => {
  const journal = new MemoryJournal()
  const first = createAgent({
    model: model(['one', 'cut'], 'p/m'),
    journal,
    instructions: 'be kind',
  })
  const session = first.session('s1')
  await first.run('1', { session }).result
  const stored: unknown = JSON.parse(JSON.stringify(session.checkpoint()))
  await first.run('2', { session, runId: 'r2' }).result
  const cut = new MemoryJournal()
  cut.append(
    'r2',
    journal.read('r2').filter(({ type }) => type === 'started'),
  )
  const other = createAgent({ model: model(['two'], 'p/m'), journal: cut, instructions: 'be kind' })
  const restored = other.restoreSession(stored)
  const resumed = await other.resume('r2', { session: restored })
  const { text, messages } = await resumed.result
  assert.equal(text, 'two')
  assert.equal(messages.length, 5)
  assert.deepEqual(restored.messages, messages)
})
