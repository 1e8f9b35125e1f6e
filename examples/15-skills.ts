// Skills: the model sees names and descriptions, opens one when a task fits, and then has its instructions and tools.
import { join } from 'node:path'
import { createAgent, defineTool } from 'echelon/chat'
import { childProcessScripts, defineSkill, skills, skillsFrom } from '@echelon/knowledge/skills'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const bookPayment = defineTool({
  name: 'book_payment',
  description: 'books a payment',
  does: 'acts',
  input: z.object({ euros: z.number() }),
  run: ({ euros }) => `booked ${euros}`,
})

// Folders with a SKILL.md. Tools named there grant nothing; the program supplies the tools.
const fromFolders = await skillsFrom(join(import.meta.dirname, 'skills'), {
  tools: { 'invoice-check': [bookPayment] },
})
// The same in code. Instructions can also be a function, called when the skill is opened.
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pays back what a customer is owed. Use it for complaints about a bill.',
  instructions: 'Say what is owed, and book nothing above 100 euros.',
  tools: [bookPayment],
})

// A scripted model stands for a real one.
const script = { skill: 'invoice-check', path: 'scripts/total.mjs', args: ['19.90', '0.10'] }
const answers: readonly ScriptedAnswer[] = [
  { toolCalls: [{ tool: 'open_skill', input: { name: 'invoice-check' } }] },
  { toolCalls: [{ tool: 'run_skill_script', input: script }] },
  { toolCalls: [{ tool: 'book_payment', input: { euros: 20 } }] },
  'The invoice is right: 20 euros, which are booked.',
]
const model = scriptedModel(answers)
const agent = createAgent({
  model: asBound(model),
  use: [skills([...fromFolders, refunds], { scripts: childProcessScripts() })],
})

const run = agent.run('Is this invoice right? If so, book it.')
for await (const event of run) {
  if (event.type === 'middleware') console.log(event.event, event.data)
  if (event.type === 'tool-end') console.log(event.call.tool, event.outcome.type)
  if (event.type !== 'request-open') continue
  // Scripts ask every time, and so do acting tools of skills, until an answer is always.
  console.log('asked:', event.about)
  run.respond(event.request, 'once')
}
const { text, state } = await run.result
console.log(text, state.middleware.skills)
for (const { tools = [] } of model.calls.slice(0, 2)) console.log(tools.map(({ name }) => name))
