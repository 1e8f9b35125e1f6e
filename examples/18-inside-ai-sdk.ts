// An agent inside the AI SDK: as a model, as the model of an SDK agent, as a tool.
import { generateText, type ModelMessage, streamText, ToolLoopAgent } from 'ai'
import { asAiTool, asLanguageModel } from '@echelon/adapters'
import { createAgent, defineTool } from 'echelon/chat'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const pay = defineTool({
  name: 'pay',
  description: 'sends money',
  does: 'acts',
  needsApproval: true,
  input: z.object({ to: z.string() }),
  run: ({ to }) => `sent money to ${to}`,
})
// Scripted models stand for real ones.
const clerk = (...script: readonly ScriptedAnswer[]) =>
  createAgent({ name: 'clerk', model: asBound(scriptedModel(script)), tools: [pay] })
const pays = { toolCalls: [{ tool: 'pay', input: { to: 'Bo' } }] }

// As a model. The agent's approvals go to the caller, and the same run continues.
const model = asLanguageModel(clerk(pays, 'Bo has his money.'))
const messages: ModelMessage[] = [{ role: 'user', content: 'Pay Bo.' }]
const asked = await generateText({ model, messages })
for (const part of asked.content) {
  if (part.type !== 'tool-approval-request') continue
  console.log('asks', part.toolCall.toolName, part.toolCall.input)
  const { approvalId } = part
  messages.push(...asked.responseMessages, {
    role: 'tool',
    content: [
      { type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true },
    ],
  })
}
const { text, usage, providerMetadata } = await generateText({ model, messages })
console.log(text, usage.totalTokens, providerMetadata?.['echelon']?.['cost'])

// As an SDK agent, streamed.
const sdkAgent = new ToolLoopAgent({
  id: 'clerk',
  model: asLanguageModel(clerk({ text: ['At', ' nine.'] })),
})
const { textStream } = await sdkAgent.stream({ prompt: 'When do you open?' })
for await (const delta of textStream) process.stdout.write(`${delta}|`)

// As a tool of any model.
const boss = scriptedModel([
  { toolCalls: [{ tool: 'clerk', input: { task: 'When?' } }] },
  'They open at nine.',
])
const tools = { clerk: asAiTool(clerk('At nine.'), { description: 'knows the office hours' }) }
const result = streamText({
  model: boss,
  tools,
  prompt: 'Ask.',
  stopWhen: ({ steps }) => steps.length > 1,
})
console.log(`\n${await result.text}`)
