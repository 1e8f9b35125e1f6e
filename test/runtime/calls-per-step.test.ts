import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { CallTools } from '../../packages/echelon/src/core/agent/effect.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import {
  asBound,
  promptText,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { callTools, performing, tool, world } from './kit.ts'

const many = (count: number, name = 'add') =>
  Array.from({ length: count }, (_, index) => [name, { index }] as const)

describe('the tool calls of one step', () => {
  test('beyond the limit are refused with a reason, in order, and not made', async () => {
    const made: unknown[] = []
    const add = tool('add', ({ index }) => {
      made.push(index)
      return 'done'
    })
    const { services } = world({ tools: [add] })
    const run = startRun(performing([callTools(many(5000), { atOnce: 8 })]), null, services)
    const [seen] = (await run.result).result
    assert.ok(seen?.type === 'tools-called')
    assert.equal(seen.outcomes.length, 5000)
    assert.equal(made.length, 64)
    assert.deepEqual(
      seen.outcomes.map(({ type }) => type),
      [...Array<string>(64).fill('ok'), ...Array<string>(4936).fill('refused')],
    )
    const refused = seen.outcomes[64]
    assert.ok(refused?.type === 'refused')
    assert.match(refused.reason ?? '', /^one answer may ask for 64 tool calls; this was number 65/)
    assert.equal(run.spent['tools'], 64)
  })

  test('are counted over all batches of the step', async () => {
    let made = 0
    const add = tool('add', () => ++made)
    const batch = (from: number): CallTools => ({
      type: 'call-tools',
      actor: 'all',
      calls: many(3).map(([name], place) => ({ id: `${from}.${place}`, tool: name, input: {} })),
    })
    const { services } = world({ tools: [add], maxCallsPerStep: 4 })
    const together = { type: 'together', effects: [batch(0), batch(1), batch(2)] } as const
    const run = startRun(performing([together, batch(3)]), null, services)
    const [seen, later] = (await run.result).result
    assert.ok(seen?.type === 'together' && later?.type === 'tools-called')
    const types = seen.observations.flatMap((one) =>
      one.type === 'tools-called' ? one.outcomes.map(({ type }) => type) : [],
    )
    assert.equal(types.filter((type) => type === 'ok').length, 4)
    assert.equal(types.filter((type) => type === 'refused').length, 5)
    // The next step starts again at zero.
    assert.ok(later.outcomes.every(({ type }) => type === 'ok'))
    assert.equal(made, 7)
  })

  test('beyond the limit ask for no approval', async () => {
    const act = tool('act', () => 'done', { does: 'acts' })
    const { services, events } = world({ tools: [act], maxCallsPerStep: 2 })
    const run = startRun(performing([callTools(many(4, 'act'))]), null, services)
    await run.result
    assert.equal(events.filter(({ type }) => type === 'tool-start').length, 2)
  })
})

test('a chat tells its model which calls were not made, and continues', async () => {
  let made = 0
  const add = tool('add', () => ++made)
  const toolCalls = many(9).map(([name, input]) => ({ tool: name, input }))
  const model = scriptedModel([{ toolCalls, usage: { input: 10, output: 90 } }, 'fine'])
  const agent = createAgent({ model: asBound(model), tools: [add], maxCallsPerStep: 3 })
  const { text } = await agent.run('go').result
  assert.deepEqual([text, made], ['fine', 3])
  const told = model.calls[1]
  assert.ok(told !== undefined)
  assert.match(promptText(told), /not run: one answer may ask for 3 tool calls; this was number 4/)
  assert.throws(() => createAgent({ model: asBound(model), maxCallsPerStep: 0 }), /maxCallsPerStep/)
})

test('an answer longer than its token limit allows is rejected', async () => {
  const toolCalls = [{ tool: 'add', input: { text: 'a'.repeat(3_000_000) } }]
  for (const reply of [{ toolCalls }, 'a'.repeat(3_000_000)]) {
    const model = scriptedModel([reply, reply])
    const agent = createAgent({ model: asBound(model) })
    const whole = agent.run('go')
    await assert.rejects(
      whole.result,
      /has more than \d+ characters, which is more than the call allowed/,
    )
    const streamed = agent.run('go')
    for await (const _ of streamed);
    await assert.rejects(streamed.result, { code: 'MODEL_FAILED' })
  }
})
