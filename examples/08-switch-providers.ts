// Switching models during a conversation: a good switch, a failed one, and an automatic fallback.
import { createAgent } from 'echelon/chat'
import { fallback } from 'echelon/middleware'
import { createRegistry } from 'echelon/providers'
import { apiError, asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'

// Scripted models stand for real ones; with the standard registry these would be
// 'openai/gpt-5-nano' and 'anthropic/claude-sonnet-4-5'.
const scripts: Readonly<Record<string, readonly ScriptedAnswer[]>> = {
  quick: ['Lisbon.'],
  careful: [
    ({ prompt }) => `Lisbon, I have read our ${prompt.length} messages.`,
    { error: apiError(401, { message: 'the key was revoked' }) },
  ],
  spare: ['Porto.'],
}
const registry = createRegistry({})
registry.register({
  key: 'demo',
  summary: 'answers from a script',
  models: Object.keys(scripts),
  load: (id) => Promise.resolve(asBound(scriptedModel(scripts[id] ?? []), `demo/${id}`)),
})

const agent = createAgent({ model: 'demo/quick', registry, use: [fallback(['demo/spare'])] })
const session = agent.session()
const ask = async (question: string): Promise<void> => {
  const run = agent.run(question, { session })
  for await (const event of run) {
    if (event.type === 'middleware') console.log(event.middleware, event.data)
  }
  const { text } = await run.result
  console.log(`${question} ${text}`)
}

await ask('The capital of Portugal?')

// It applies from the next model call on. The conversation stays.
await agent.switchProvider('demo/careful')
await ask('Are you sure?')

// A switch loads the model first: if that fails, nothing changes.
try {
  await agent.switchProvider('acme/best')
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
console.log('still', agent.model, 'with', session.length, 'messages')

// This time the model fails, and the fallback answers in its place.
await ask('And the second city?')
