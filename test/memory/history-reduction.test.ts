import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { createAgent, defineTool } from '../../packages/echelon/src/chat.ts'
import { historyReduction } from 'echelon/middleware'
import { openStore } from '@echelon/store'
import { asBound, promptText, scriptedModel } from 'echelon/testing'

const lookUp = defineTool({
  name: 'look_up',
  description: 'looks an order up',
  input: z.object({ order: z.string() }),
  run: ({ order }) => `${order} was sent to Lisbon. ${'Details. '.repeat(100)}`,
})

test('[C-17] an agent can read back what was left out, after a restart too, and its stored conversation is complete', async () => {
  const store = await openStore(':memory:')
  const sent: number[] = []
  const model = scriptedModel([], {
    beyond: ({ prompt }) => {
      sent.push(prompt.reduce((sum, message) => sum + JSON.stringify(message).length, 0))
      const last = prompt.at(-1)
      const text = JSON.stringify(last?.content)
      if (last?.role === 'tool') return text.includes('Lisbon') ? 'To Lisbon.' : 'I do not know.'
      const order = /O-\d+/.exec(text)?.[0] ?? ''
      const tool = text.includes('Where did') ? 'history_read' : 'look_up'
      return {
        toolCalls: [{ tool, input: tool === 'look_up' ? { order } : { query: `${order} Lisbon` } }],
      }
    },
  })
  const open = () =>
    createAgent({
      model: asBound(model),
      tools: [lookUp],
      store,
      use: [historyReduction({ by: 'tokens', maxTokens: 800 })],
    })
  for (let turn = 1; turn <= 6; turn++) {
    const agent = open()
    const session = await agent.openSession('ada')
    await agent.run(`Look up O-${turn}.`, { session }).result
  }
  const agent = open()
  const session = await agent.openSession('ada')
  const { text } = await agent.run('Where did O-1 go?', { session }).result
  assert.equal(text, 'To Lisbon.')
  const asked = promptText(model.calls.at(-2) ?? { prompt: [] })
  assert.doesNotMatch(asked, /O-1 was sent/)
  const answered = promptText(model.calls.at(-1) ?? { prompt: [] })
  assert.match(answered, /"found":\[\{"turn":1,"excerpt":".*O-1/)
  assert.equal(session.messages.length, 6 * 4 + 4)
  for (const bytes of sent) assert.ok(bytes <= 800 * 4, `${bytes} bytes`)
})

test('[C-17] an unsuccessful history_read is an error that the model can correct', async () => {
  const script = [
    { toolCalls: [{ tool: 'history_read', input: {} }] },
    { toolCalls: [{ tool: 'history_read', input: { turn: 5 } }] },
    'ok',
  ]
  const model = scriptedModel(script)
  const use = [historyReduction({ by: 'summary', maxTokens: 400 })]
  const { text } = await createAgent({ model: asBound(model), use }).run('hi').result
  assert.equal(text, 'ok')
  const seen = promptText(model.calls.at(-1) ?? { prompt: [] })
  assert.match(seen, /INVALID_ARGS: .*either a turn from 1 on or a query.*there are 1 turns/s)
})
