// Model health: errors, latency, the last failure, and an event when a model goes down.
import { createAgent } from 'echelon/chat'
import { providerHealth } from 'echelon/middleware'
import { apiError, asBound, scriptedModel } from 'echelon/testing'

const health = providerHealth({ downAfter: 2, downMs: 60_000 })

const busy = { error: apiError(503, { message: 'overloaded' }) }
const agent = createAgent({
  model: asBound(scriptedModel(['Fine.', 'Fine.', busy, busy]), 'demo/model'),
  use: [health], // innermost, so that it sees every attempt
  errorHandling: { retries: 0 },
})

for (let turn = 1; turn <= 4; turn++) {
  const run = agent.run('How are you?')
  for await (const event of run) {
    if (event.type !== 'middleware') continue
    console.log(event.event, JSON.stringify(event.data, ['of', 'from', 'to', 'errorRate']))
  }
  await run.outcome // the last two fail, and their result would reject
}

// Anybody may look at it, such as a page that shows how things are.
for (const [model, figures] of Object.entries(health.health())) {
  const { health: is, calls, errorRate, lastFailure } = figures
  console.log(`${model} is ${is}: ${errorRate * 100} % of ${calls} failed, ${lastFailure?.code}`)
}
