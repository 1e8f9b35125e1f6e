// A conversation outlives its process: a stored turn waits for approval, another process finishes it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, defineTool } from 'echelon/chat'
import { openStore, type Store } from '@echelon/store'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const transfer = defineTool({
  name: 'transfer',
  description: 'transfers money',
  does: 'acts',
  needsApproval: true,
  input: z.object({ euros: z.number() }),
  run: ({ euros }) => `transferred ${euros} euros`,
})

// A scripted model stands for a real one: what it says next shows in the conversation.
const model = scriptedModel([], {
  beyond: ({ prompt }) => {
    if (prompt.at(-1)?.role === 'tool') return 'The rent is paid.'
    return prompt.length === 1
      ? { toolCalls: [{ tool: 'transfer', input: { euros: 900 } }] }
      : 'Yes.'
  },
})

/** The agent as each process makes it. */
const agentIn = (store: Store) =>
  createAgent({
    name: 'bookkeeper',
    model: asBound(model),
    tools: [transfer],
    store,
    suspend: { afterMs: 0 },
  })

const folder = await mkdtemp(join(tmpdir(), 'echelon-'))
const file = join(folder, 'echelon.db')

// In the evening the turn asks, is suspended, and waits in the store.
const evening = await openStore(file)
const first = agentIn(evening)
const asked = first.run('pay the rent', { session: await first.openSession('ada') })
await asked.result.catch(({ code }) => console.log(code))
await evening.close()

// The next day another process finds it, stores the answer and resumes.
const morning = await openStore(file)
const second = agentIn(morning)
const { unfinished } = await second.openSession('ada')
for (const { id } of unfinished?.requests ?? []) await morning.runs.reply(asked.id, id, 'once')
console.log((await (await second.resume(asked.id)).result).text)

const session = await second.openSession('ada')
console.log((await second.run('Is it paid?', { session }).result).text, session.length, 'messages')
await morning.close()
await rm(folder, { recursive: true })
