// So many calls a minute: what is too much waits in line, and what would wait too long is refused.
import { createAgent } from 'echelon/chat'
import { rateLimit } from 'echelon/middleware'
import { asBound, scriptedModel, SetClock } from 'echelon/testing'

// A clock that is turned by hand, so that the example need not wait. Leave it out.
const clock = new SetClock(0)
const second = (): string => `at ${clock.now() / 1000} s`

const limit = rateLimit({
  requestsPerMinute: 2,
  tokensPerMinute: 10_000, // in and out
  by: 'provider', // all models of a provider together; default each for itself
  models: { local: { requestsPerMinute: 600 } }, // other limits, by how names begin
  maxWaitMs: 60_000,
})
// Agents that are given the same middleware share its limits.
const agent = createAgent({
  model: asBound(scriptedModel(['one', 'two', 'three', 'four']), 'demo/model'),
  use: [limit],
  clock,
  telemetry: (event) => {
    if (event.type === 'middleware') console.log(second(), event.event, event.data)
  },
})

const ask = async (question: string): Promise<void> => {
  // A question that would wait too long fails; its outcome says so.
  const { text, reason } = await agent.run(question).outcome
  console.log(second(), question, reason === 'stop' ? text : reason)
}

const asked = ['a', 'b', 'c', 'd', 'e'].map(ask)
await clock.advance(0)
await clock.advance(60_000)
await Promise.all(asked)
