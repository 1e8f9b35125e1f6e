// Tools written for the AI SDK, used by an agent unchanged.
import { tool } from 'ai'
import { fromAiSdkTools } from '@echelon/adapters'
import { createAgent } from 'echelon/chat'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const city = z.object({ city: z.string() })
const weather = tool({
  description: 'the weather of a city, today',
  inputSchema: city,
  execute: ({ city }) => ({ city, degrees: 12, sky: 'rain' }),
})
const forecast = tool({
  description: 'the next days in a city',
  inputSchema: city,
  // Yielded values are progress; the last one is the result.
  async *execute({ city }) {
    yield { city, days: ['rain'] }
    yield { city, days: ['rain', 'sun'] }
  },
})
const book = tool({
  description: 'books a hotel room',
  inputSchema: city,
  needsApproval: true,
  execute: ({ city }) => `booked in ${city}`,
})

// An SDK tool does not state its effects, so each counts as one that acts: it is recorded before it
// runs, and not repeated after a crash. Declare the tools that only read.
const tools = fromAiSdkTools(
  { weather, forecast, book },
  { weather: { does: 'reads' }, forecast: { does: 'reads' } },
)

// A scripted model stands for a real one.
const script = [
  ...['weather', 'forecast', 'book'].map((tool) => ({
    toolCalls: [{ tool, input: { city: 'Oslo' } }],
  })),
  'Take an umbrella; your room is booked.',
]
const run = createAgent({ model: asBound(scriptedModel(script)), tools }).run('Off to Oslo!')
for await (const event of run) {
  if (event.type === 'tool-progress') console.log('so far', event.data)
  if (event.type === 'tool-end') console.log(event.call.tool, event.outcome)
  if (event.type === 'request-open') {
    console.log('may it?', event.about)
    run.respond(event.request, 'once')
  }
}
console.log((await run.result).text)
