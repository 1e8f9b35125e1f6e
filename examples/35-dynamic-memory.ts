// Notes that an agent keeps about its user across conversations: shown, exported and erased.
import { createAgent } from 'echelon/chat'
import { dynamicMemory, eraseNotes, exportNotes } from '@echelon/knowledge'
import { openStore } from '@echelon/store'
import { asBound, promptText, scriptedModel } from 'echelon/testing'

// `await openStore('echelon.db')` uses a file instead; `store.close()` closes it.
const store = await openStore(':memory:')

// A scripted model stands for a real one.
const seat = { title: 'Seat', text: 'Ada likes the window seat.' }
const model = scriptedModel([
  { toolCalls: [{ tool: 'memory_create', input: seat }] },
  'I will keep that in mind.',
  'By the window, as you like it.',
  { toolCalls: [{ tool: 'memory_delete', input: { id: 'n1' } }] },
  'Your note stays, then.',
])

const agent = createAgent({
  model: asBound(model),
  store,
  use: [dynamicMemory({ store: store.notes })],
  // Notes are written without approval, unless a rule asks or denies.
  permissions: { rules: [{ tools: 'memory_delete', verdict: 'ask' }] },
})

// The caller who starts the run determines whose notes they are, never the model.
const ask = async (text: string): Promise<void> => {
  const run = agent.run(text, { caller: 'ada' })
  for await (const event of run) {
    if (event.type === 'request-open') run.respond(event.request, 'deny')
  }
  console.log((await run.result).text)
}
await ask('I like the window seat.')
await ask('Where do I sit?')
console.log(/- n1 .*/.exec(promptText(model.calls[2] ?? { prompt: [] }))?.[0])
await ask('Forget my seat.')

for (const { id, title, text } of await exportNotes(store.notes, 'ada')) {
  console.log(id, title, text)
}
console.log('erased', await eraseNotes(store.notes, 'ada'))
