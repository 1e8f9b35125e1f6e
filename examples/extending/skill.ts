// A skill of one's own, in code: what the model is told when it opens it, and the tool that it then has.
import { createAgent, defineTool } from 'echelon/chat'
import { defineSkill, skills } from '@echelon/knowledge/skills'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const shift = defineTool({
  name: 'who_is_on_call',
  description: 'who answers the phone on a day of the week',
  input: z.object({ day: z.string() }),
  run: ({ day }) => (day === 'Sunday' ? 'Grace' : 'Ada'),
})

const onCall = defineSkill({
  name: 'on-call',
  description: 'Says whom to wake when something is broken. Use it for outages.',
  // Read when it is opened: a rota changes more often than a program.
  instructions: async () => 'Ask who_is_on_call for the day. Name one person, and nobody else.',
  tools: [shift],
})

const model = scriptedModel([
  { toolCalls: [{ tool: 'open_skill', input: { name: 'on-call' } }] },
  { toolCalls: [{ tool: 'who_is_on_call', input: { day: 'Sunday' } }] },
  'Wake Grace.',
])
const agent = createAgent({ model: asBound(model), use: [skills([onCall])] })
const { text, state } = await agent.run('The shop is down, and it is Sunday.').result

// Only from the second call on does the model know of the skill's tool.
console.log(model.calls.map(({ tools = [] }) => tools.map(({ name }) => name).join(' ')))
console.log(text, state.middleware.skills)
