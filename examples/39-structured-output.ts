// An answer that is an object of a schema: typed, checked, repaired once, and shown while it is written.
import { createAgent, defineTool, EchelonError } from 'echelon'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const Order = z.object({
  customer: z.string(),
  lines: z.array(z.object({ item: z.string(), count: z.number().int().positive() })),
  note: z.string().optional(),
})

const stock = defineTool({
  name: 'stock',
  description: 'how many pieces there are',
  input: z.object({ item: z.string() }),
  run: ({ item }) => (item === 'lamp' ? 3 : 0),
})

// A scripted model stands for a real one, such as 'openai/gpt-5-nano'. Its first order does not fit.
const model = scriptedModel([
  { toolCalls: [{ tool: 'stock', input: { item: 'lamp' } }] },
  '{"customer":"Ada","lines":[{"item":"lamp","count":"two"}]}',
  { text: ['{"customer":"Ada","lines":[{"item":"la', 'mp","count":2', '}],"note":null}'] },
  '{"seats":4}',
  'No idea.',
  'None at all.',
])

const agent = createAgent({ model: asBound(model), tools: [stock], output: Order })
const run = agent.run('Two lamps for Ada, please.')
for await (const event of run) {
  if (event.type === 'note') console.log(event.note.stage)
  if (event.type === 'output-partial') console.log('so far', JSON.stringify(event.partial))
}
const { output, messages } = await run.result
for (const { item, count } of output.lines) console.log(output.customer, item, count)
console.log('note' in output, messages.length)

// One run may use another schema than the rest of the agent's runs.
const table = await agent.run('A table for four.', { output: z.object({ seats: z.number() }) })
  .result
console.log(table.output.seats)

// Without a valid object the run rejects; the error holds the model's text.
const failed: unknown = await agent.run('Something.').result.catch((error: unknown) => error)
if (failed instanceof EchelonError) console.log(failed.code, failed.details['text'])
