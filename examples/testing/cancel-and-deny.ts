// Canceled or denied calls do not run, and a question outlives the process that asked it.
import assert from 'node:assert/strict'
import { createAgent, defineTool } from 'echelon/chat'
import { MemoryJournal } from 'echelon/runtime'
import { promptText, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

let deleted = 0
const remove = defineTool({
  name: 'remove',
  description: 'deletes a file',
  does: 'acts',
  needsApproval: true,
  input: z.object({ file: z.string() }),
  run: () => ++deleted,
})
const call = { toolCalls: [{ tool: 'remove', input: { file: 'notes.txt' } }] }

// Denied: the model is told, and nothing is done.
const told = scriptedModel([
  call,
  { text: 'I left it.', when: (c) => /denied/.test(promptText(c)) },
])
const run = createAgent({ model: told, tools: [remove] }).run('Delete my notes.')
for await (const event of run) {
  if (event.type === 'request-open') run.respond(event.request, 'never')
}
assert.equal((await run.result).text, 'I left it.')
told.assertComplete()

// Canceled while it waits for the answer: it ends, and nothing is done.
const stopped = createAgent({ model: scriptedModel([call]), tools: [remove] }).run('Delete them.')
for await (const event of stopped) {
  if (event.type === 'request-open') stopped.cancel()
}
const { status } = await stopped.result
assert.equal(status, 'canceled')
assert.equal(deleted, 0)

// The process dies while it waits; the next one asks the same again, and goes on from there.
const journal = new MemoryJournal()
const agent = (model: ReturnType<typeof scriptedModel>) =>
  createAgent({ model, tools: [remove], journal })
const first = agent(scriptedModel([call])).run('Delete them now.', { runId: 'tidy' })
for await (const event of first) {
  if (event.type === 'request-open') break
}
const resumed = await agent(scriptedModel(['It is gone.'])).resume('tidy')
for await (const event of resumed) {
  if (event.type === 'request-open') resumed.respond(event.request, 'once')
}
assert.equal((await resumed.result).text, 'It is gone.')
assert.equal(deleted, 1)
console.log('denied, canceled, and done once:', status, deleted)
