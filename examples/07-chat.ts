// A chat agent with a tool, a middleware that keeps a state, a conversation, and a switch of models during it.
import { AgentBuilder, defineMiddleware, defineTool } from 'echelon/chat'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'the weather of a city, today',
  input: z.object({ city: z.string() }),
  run: ({ city }) => `12 degrees and rain in ${city}`,
})

const toolCount = defineMiddleware({
  name: 'toolCount',
  state: {
    scope: 'session',
    version: 1,
    schema: z.object({ calls: z.number() }),
    initial: { calls: 0 },
  },
  tool: (call, next, { update }) => {
    update(({ calls }) => ({ calls: calls + 1 }))
    return next(call)
  },
})

// Scripted models stand for real ones, such as 'openai/gpt-5-nano'.
const first = scriptedModel([
  { toolCalls: [{ tool: 'weather', input: { city: 'Seattle' } }] },
  { text: ['Take ', 'an umbrella.'] },
])
const second = scriptedModel(['As the other one said: an umbrella.'])

const agent = new AgentBuilder()
  .model(asBound(first))
  .instructions('Answer in one sentence.')
  .tool(weather)
  .use(toolCount())
  .limits({ tools: 5, seconds: 60 })
  .build()

const session = agent.session()
const run = agent.run('What should I pack for Seattle?', { session })
for await (const event of run) {
  if (event.type === 'tool-start') console.log('calls', event.call.tool, event.call.input)
  if (event.type === 'text-delta') process.stdout.write(event.delta)
}
const { usage, cost, state } = await run.result
console.log('\ntokens', usage, 'dollars', cost, 'tool calls', state.middleware.toolCount.calls)

// Applies from the next model call on; the conversation and middleware states stay.
await agent.switchProvider(asBound(second))
const { text, messages } = await agent.run('Are you sure?', { session }).result
console.log(text, `(${messages.length} messages)`)
