// Tests an agent: the model's prompts, the tool calls, and that it asks before it acts.
import assert from 'node:assert/strict'
import { createAgent, defineTool, isApproval } from 'echelon/chat'
import { promptText, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const sent: object[] = []
const pay = defineTool({
  name: 'pay',
  description: 'sends money',
  does: 'acts',
  needsApproval: true,
  input: z.object({ to: z.string(), euros: z.number() }),
  run: (input) => {
    sent.push(input)
    return 'sent'
  },
})

// The model is a script: it answers in this order, and fails the test on any other call.
const model = scriptedModel([
  { toolCalls: [{ tool: 'pay', input: { to: 'Ada', euros: 20 } }] },
  {
    text: ['Ada has ', 'her money.'],
    when: (call) => promptText(call).includes('"value":"sent"'),
  },
])
const agent = createAgent({ model, tools: [pay], instructions: 'Be brief.' })

const run = agent.run('Send Ada 20 euros.')
const asked: string[] = []
for await (const event of run) {
  if (event.type === 'request-open' && isApproval(event.about)) {
    asked.push(event.about.tool)
    assert.deepEqual(sent, [], 'nothing is sent before it is approved')
    run.respond(event.request, 'once')
  }
}
const { text, reason } = await run.result

assert.deepEqual(asked, ['pay'])
assert.deepEqual(sent, [{ to: 'Ada', euros: 20 }])
assert.equal(model.calls[0]?.tools?.[0]?.name, 'pay')
assert.match(promptText(model.calls[0]), /^system: Be brief\.\nuser: Send Ada/)
// Every scripted answer was used, and no call was left without one.
model.assertComplete()
console.log(text, reason)

// An extra call is an error of the test, even if the agent handles it.
await agent.run('And Bob.').outcome
assert.throws(() => model.assertComplete(), { code: 'UNEXPECTED_CALL' })
console.log('a call that nobody expected is noticed')
