// An agent with the names of Microsoft Agent Framework: sessions that can be stored, approvals in messages.
import { approvalResponse, asAIAgent } from '@echelon/adapters/aiagent'
import { createAgent, defineTool } from 'echelon/chat'
import { MemoryJournal } from 'echelon/runtime'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const pay = defineTool({
  name: 'pay',
  description: 'sends money',
  does: 'acts',
  needsApproval: true,
  input: z.object({ to: z.string(), euros: z.number() }),
  run: ({ to, euros }) => `sent ${euros} to ${to}`,
})

const journal = new MemoryJournal()
const secret = ['thirty-two random bytes', 'from your configuration'].join(' ')
/** The same agent, as created in two processes; scripted models stand for real ones. */
const start = (script: Parameters<typeof scriptedModel>[0]) => {
  const agent = createAgent({
    name: 'clerk',
    model: asBound(scriptedModel(script)),
    tools: [pay],
    journal,
  })
  return asAIAgent(agent, { description: 'pays bills', secret })
}

const first = start([
  { text: ['Hello', ' Ada.'] },
  { toolCalls: [{ tool: 'pay', input: { to: 'Bo', euros: 40 } }] },
])
const session = first.createSession()
for await (const update of first.runStreaming('I am Ada.', { session })) {
  if (update.text !== '') console.log('update:', update.text)
}
session.stateBag.setValue('tenant', 'north')

// The turn ends with a request, and the run waits.
const asked = await first.run('Pay Bo 40 euros.', { session })
const [request] = asked.requests
if (request?.type !== 'toolApprovalRequest') throw new Error('nothing to approve')
console.log(asked.finishReason, request.toolCall.name, request.toolCall.arguments)
const kept = JSON.stringify(await first.serializeSession(session))

// Another process: the session is checked, and the run resumes from the journal.
const second = start(['Bo has his 40 euros.'])
const restored = await second.deserializeSession(kept)
const reply = { role: 'user', contents: [approvalResponse(request, true)] } as const
const { text, usage } = await second.run(reply, { session: restored })
console.log(text, usage, restored.stateBag.getValue('tenant'))

const tampered = kept.replace('I am Ada.', 'I am Eve.')
await second.deserializeSession(tampered).catch((error: Error) => console.log(error.message))
