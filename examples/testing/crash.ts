// A crash loses nothing: the run is resumed from every point at which its process could have died.
import assert from 'node:assert/strict'
import { createAgent, defineTool } from 'echelon/chat'
import { type Entry, type Journal, MemoryJournal } from 'echelon/runtime'
import { promptText, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

let booked = 0
const book = defineTool({
  name: 'book',
  description: 'books a table',
  does: 'idempotent',
  input: z.object({ seats: z.number() }),
  run: ({ seats }) => `booked for ${seats} as number ${++booked}`,
})

// Answers by what it is asked, so that it can be asked from any point on.
const model = () =>
  scriptedModel([], {
    beyond: (call) =>
      promptText(call).includes('booked for')
        ? 'A table for two is booked.'
        : { toolCalls: [{ tool: 'book', input: { seats: 2 } }] },
  })
const agentWith = (journal: Journal) => createAgent({ model: model(), tools: [book], journal })

// One run to its end, with each append as the journal was given it.
const appends: (readonly Entry[])[] = []
const watched: Journal = { append: (_, entries) => void appends.push(entries), read: () => [] }
const whole = agentWith(watched).run('A table for two, please.', { runId: 'dinner' })
const { text } = await whole.result

// The process dies after the first append, the second, and so on; another goes on from there.
for (let died = 1; died < appends.length; died++) {
  const journal = new MemoryJournal()
  for (const entries of appends.slice(0, died)) journal.append('dinner', entries)
  const before = booked
  const resumed = await (await agentWith(journal).resume('dinner')).result
  assert.equal(resumed.text, text)
  assert.ok(booked - before <= 1, 'what is on record is not done again')
  console.log(`died after ${died}: booked ${booked - before} more, ${resumed.reason}`)
}
