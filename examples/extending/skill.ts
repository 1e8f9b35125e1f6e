// A custom skill in code: instructions for the model when it opens the skill, and a tool.
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
  // Read when the skill is opened: a rota changes more often than a program.
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

// The model sees the skill's tool only from the second call on.
console.log(model.calls.map(({ tools = [] }) => tools.map(({ name }) => name).join(' ')))
console.log(text, state.middleware.skills)
