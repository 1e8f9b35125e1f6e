// A chat agent with the built-in tools. Events show the tool calls and the answer while it is made.
import { createAgent } from 'echelon/chat'
import { standardTools } from '@echelon/tools'

const agent = createAgent({ model: 'offline/small', tools: await standardTools() })
const run = agent.run('What date is 45 days after March 3, 2024?')
for await (const event of run) {
  if (event.type === 'tool-start') console.log(event.call.tool, event.call.input)
  if (event.type === 'text-delta') process.stdout.write(event.delta)
}
const { usage, cost } = await run.result
console.log('\ntokens', usage, 'dollars', cost)
