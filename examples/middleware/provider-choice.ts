// Each call goes to the model that does best by what was measured; one that is down gets none.
import { createAgent } from 'echelon/chat'
import { providerChoice } from 'echelon/middleware'
import { apiError, asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'

// Models by name work as well: 'openai/gpt-5-nano', 'anthropic/claude-haiku-4-5'.
const demo = (id: string, dollars: number, script: readonly ScriptedAnswer[]) =>
  asBound(scriptedModel(script), `demo/${id}`, () => dollars)
const busy = { error: apiError(503) }
const often = (answer: ScriptedAnswer): ScriptedAnswer[] => Array.from({ length: 9 }, () => answer)

const dear = demo('dear', 0.05, often('Hello from the dear one.'))
const cheap = demo('cheap', 0.01, ['Hello from the cheap one.', 'Hello again.', busy, busy])

const agent = createAgent({
  model: dear,
  use: [
    providerChoice({
      models: [dear, cheap],
      goal: 'cheapest', // or 'fastest', 'most-reliable', or weights: { cost: 2, latency: 1 }
      trials: 1, // calls of each before they are compared
      explore: 0, // share of calls that look how another does now; default 0.05
      downAfter: 2, // failures in a row; then none for a minute
    }),
  ],
  errorHandling: { retries: 0 },
})

for (let turn = 1; turn <= 6; turn++) {
  const run = agent.run('Hello!')
  for await (const event of run) {
    if (event.type !== 'middleware') continue
    console.log(turn, event.event, JSON.stringify(event.data, ['model', 'why']))
  }
  console.log(turn, (await run.result).text)
}
