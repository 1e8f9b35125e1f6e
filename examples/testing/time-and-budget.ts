// Time and money in tests, without delay or cost: a retry after a minute, and a budget that holds.
import assert from 'node:assert/strict'
import { createAgent } from 'echelon/chat'
import { apiError, asBound, scriptedModel, SetClock } from 'echelon/testing'

// The provider asks for a minute's patience, cuts the next answer off, and then says it all.
const clock = new SetClock()
const began = clock.now()
const flaky = scriptedModel(
  [
    { error: apiError(429, { headers: { 'retry-after': '60' } }) },
    { error: apiError(200, { isRetryable: true }), after: [] },
    { text: ['Pack ', 'an umbrella.'], betweenMs: 500 },
  ],
  { clock },
)
const patient = createAgent({ model: flaky, clock })

// The clock goes from one wait to the next by itself.
const answered = await clock.runUntil(patient.run('What should I pack?').result)
assert.equal(answered.reason, 'stop')
assert.ok(clock.now() - began >= 60_000)
assert.equal(clock.pending, 0, 'no timer is left behind')
flaky.assertComplete()
console.log(answered.text, flaky.calls.length, 'attempts')

// A model that never answers, and a run that may take ten seconds.
const silent = scriptedModel([{ delayMs: Infinity }], { clock })
const hurried = createAgent({ model: silent, clock, limits: { seconds: 10 } })
const late = await clock.runUntil(hurried.run('Hello?').result)
assert.equal(late.reason, 'budget:seconds')
console.log(late.reason)

// Each answer costs a cent per thousand tokens, and there are two cents.
const dear = asBound(
  scriptedModel([], {
    beyond: { toolCalls: [{ tool: 'none', input: {} }], usage: { input: 700, output: 100 } },
  }),
  'acme/dear',
  ({ input, output }) => ((input + output) / 1000) * 0.01,
)
const poor = createAgent({ model: dear, limits: { money: 0.02 }, maxTokens: 500 })
const { reason, cost } = await poor.run('Go on for ever.').result
assert.equal(reason, 'budget:money')
assert.ok(cost !== null && cost <= 0.02)
console.log(reason, 'after', cost)
