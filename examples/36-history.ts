// A conversation within a token limit: old results are cut or left out, and can be read back.
import { createAgent, defineTool } from 'echelon/chat'
import { historyReduction, type HistoryReductionOptions } from 'echelon/middleware'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const orders = defineTool({
  name: 'order',
  description: 'looks an order up',
  input: z.object({ id: z.string() }),
  run: ({ id }) => `${id} went to Lisbon. ${'It was packed with care. '.repeat(60)}That is all.`,
})

async function converse(options: HistoryReductionOptions): Promise<void> {
  // A scripted model stands for a real one: it looks up three orders, then what was left out.
  const back: ScriptedAnswer = {
    toolCalls: [{ tool: 'history_read', input: { query: 'O-1 went' } }],
  }
  const look = (id: string): readonly ScriptedAnswer[] => [
    { toolCalls: [{ tool: 'order', input: { id } }] },
    'Found.',
  ]
  const script = [...look('O-1'), ...look('O-2'), ...look('O-3'), back, 'To Lisbon.']
  const model = scriptedModel(script)
  const agent = createAgent({
    model: asBound(model),
    tools: [orders],
    use: [historyReduction(options)],
  })
  const session = agent.session()
  for (const text of ['Find O-1.', 'Find O-2.', 'Find O-3.', 'Where did O-1 go?']) {
    const run = agent.run(text, { session })
    for await (const event of run) {
      if (event.type === 'middleware') console.log(text, event.event)
      if (event.type !== 'tool-end' || event.call.tool !== 'history_read') continue
      console.log(JSON.stringify(event.outcome).slice(0, 120))
    }
  }
  const oldest = JSON.stringify(model.calls.at(-1)?.prompt.slice(0, 3))
  console.log(options.by, oldest.match(/Lisbon|\d+ (?:earlier|characters)[^;]*/g))
  console.log('the session keeps', session.messages.length, 'messages')
}

await converse({ by: 'tokens', maxTokens: 900 })
await converse({ by: 'tool-results', maxTokens: 900, head: 40, tail: 20 })
