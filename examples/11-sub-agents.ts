// One agent as a tool of another: in its budget, its journal and its cancel.
import { AgentBuilder, defineTool } from 'echelon/chat'
import { MemoryJournal } from 'echelon/runtime'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const price = defineTool({
  name: 'price',
  description: 'what one piece costs, in euros',
  input: z.object({ item: z.string() }),
  run: ({ item }) => (item === 'lamp' ? 40 : 15),
})

// Scripted models stand for real ones; the buyer could have a cheaper model than the planner.
const buyer = new AgentBuilder()
  .name('buyer')
  .model(
    asBound(
      scriptedModel([
        { toolCalls: [{ tool: 'price', input: { item: 'lamp' } }] },
        'A lamp costs 40 euros.',
      ]),
    ),
  )
  .instructions('Find prices.')
  .tool(price)
  .build()

const journal = new MemoryJournal()
const planner = new AgentBuilder()
  .name('planner')
  .model(
    asBound(
      scriptedModel([
        { toolCalls: [{ tool: 'ask_buyer', input: { task: 'the price of a lamp' } }] },
        'Two lamps cost 80 euros.',
      ]),
    ),
  )
  .tool(buyer.asTool({ name: 'ask_buyer', description: 'knows what things cost' }))
  .limits({ calls: 6, tools: 4 })
  .journal(journal)
  .build()

const run = planner.run('What do two lamps cost?')
for await (const event of run) {
  // Events of the child carry its path in the tree; the run itself is ''.
  if (event.type === 'step-start') console.log(`[${event.path}] ${event.effect}`, event.targets)
}
const { text, usage } = await run.result
console.log(text)
// Calls of both agents: one budget, one journal.
console.log(usage, 'of', run.spent['calls.main'], 'calls and', run.spent['tools'], 'tools')
console.log(journal.read(run.id).length, 'entries in the journal')
