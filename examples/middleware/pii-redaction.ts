// A model that never sees who somebody is: tools and user have what was hidden, and the answer is masked.
import { createAgent, defineTool } from 'echelon/chat'
import { piiRedaction } from 'echelon/middleware'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const mail = defineTool({
  name: 'mail',
  description: 'sends a mail',
  input: z.object({ to: z.string(), text: z.string() }),
  run: ({ to, text }) => `sent to ${to}: ${text}`,
})

// Scripted models stand for real ones.
const scripted = scriptedModel([
  { toolCalls: [{ tool: 'mail', input: { to: '[redacted:email#1]', text: 'Hello!' } }] },
  { text: ['I have greeted [redac', 'ted:email#1].'] },
])

const agent = createAgent({
  model: asBound(scripted),
  tools: [mail],
  use: [piiRedaction({ mode: 'restore' })],
})

const run = agent.run('Greet ann@example.org, then call +49 30 1234567')
for await (const event of run) {
  if (event.type === 'middleware') console.log('hidden', JSON.stringify(event.data))
  if (event.type === 'text-delta') process.stdout.write(event.delta)
}
const { messages } = await run.result
console.log('\nkept', JSON.stringify(messages).includes('sent to ann@example.org: Hello!'))
const sent = JSON.stringify(scripted.calls.map(({ prompt }) => prompt))
console.log('sent', sent.includes('ann@'), sent.includes('[redacted:phone#2]'))

// Answers, masked a paragraph at a time before they are shown and stored.
const careful = createAgent({
  model: asBound(scriptedModel([{ text: ['Ask bob@exa', 'mple.org.\n', '\nOr nobody.'] }])),
  use: [piiRedaction({ direction: 'out' })],
})
console.log((await careful.run('Whom do I ask?').result).text)
