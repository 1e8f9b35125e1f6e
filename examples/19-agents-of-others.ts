// Agents of the AI SDK and of LangChain within an Echelon run: one budget, one journal, one cancel.
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { tool, ToolLoopAgent } from 'ai'
import { aiAgentTool, langChainTool } from '@echelon/adapters'
import { createAgent } from 'echelon/chat'
import { asBound, scriptedModel } from 'echelon/testing'
import { createAgent as createLangChainAgent } from 'langchain'
import { z } from 'zod'

// Scripted models stand for real ones, in our agent and in the others.
const price = tool({
  inputSchema: z.object({ item: z.string() }),
  execute: ({ item }) => `${item}: 40 euros`,
})
const buyer = new ToolLoopAgent({
  model: scriptedModel([
    { toolCalls: [{ tool: 'price', input: { item: 'lamp' } }] },
    'A lamp costs 40 euros.',
  ]),
  tools: { price },
})
const shipper = createLangChainAgent({
  model: new FakeListChatModel({ responses: ['It ships on Monday.'] }),
})

const tools = [
  aiAgentTool({
    name: 'buyer',
    description: 'knows prices',
    agent: buyer,
    // The price of its tokens; without one, a cost limit refuses it.
    price: ({ input, output }) => (input * 0.05 + output * 0.4) / 1e6,
  }),
  langChainTool({
    name: 'shipper',
    description: 'knows when things arrive',
    agent: shipper,
    price: () => 0,
    recursionLimit: 10,
  }),
]
const model = scriptedModel([
  { toolCalls: [{ tool: 'buyer', input: { task: 'What does a lamp cost?' } }] },
  { toolCalls: [{ tool: 'shipper', input: { task: 'When does a lamp arrive?' } }] },
  'A lamp costs 40 euros and ships on Monday.',
])
const run = createAgent({ model: asBound(model), tools, limits: { money: 0.05 } }).run('A lamp?')
for await (const event of run) {
  if (event.type === 'tool-progress') console.log('meanwhile', event.data)
  if (event.type === 'tool-end') console.log(event.call.tool, event.outcome)
}
const { text, usage, cost } = await run.result
// The total, with the other agents; each of their tasks is one call to the ledger.
console.log(text, usage, cost, run.spent['calls.main'])
