// A policy on trial: it decides and is counted, and nothing is denied until the one word `shadow` goes.
import { createAgent, defineTool } from 'echelon/chat'
import { permissions, shadow } from 'echelon/middleware'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const pay = defineTool({
  name: 'pay',
  description: 'sends money',
  does: 'acts',
  input: z.object({ to: z.string(), euros: z.number() }),
  run: ({ to, euros }) => `sent ${euros} to ${to}`,
})

const policy = permissions({
  rules: [
    {
      name: 'large-sums',
      tools: 'pay',
      when: ({ input }) => /"euros":\d{4}/.test(JSON.stringify(input)),
      verdict: 'deny',
      reason: 'large sums are paid by a person',
    },
    { name: 'small-sums', tools: 'pay', verdict: 'ask' },
  ],
})

// Scripted models stand for real ones.
const model = () =>
  asBound(
    scriptedModel([
      {
        toolCalls: [
          { tool: 'pay', input: { to: 'Ada', euros: 5 } },
          { tool: 'pay', input: { to: 'Ada', euros: 5000 } },
        ],
      },
      'Both are on their way.',
    ]),
  )

const trial = createAgent({ model: model(), tools: [pay], use: [shadow(policy)] })
const run = trial.run('Pay Ada')
for await (const event of run) {
  if (event.type === 'middleware') console.log(event.event, event.data)
  if (event.type === 'tool-end') console.log('it was done:', event.outcome)
}
console.log((await run.result).state.middleware.shadow)

const enforced = createAgent({ model: model(), tools: [pay], use: [policy] })
const real = enforced.run('Pay Ada')
for await (const event of real) {
  if (event.type === 'request-open') real.respond(event.request, 'once')
  if (event.type === 'tool-end') console.log('enforced:', event.outcome)
}
const said = JSON.stringify((await real.result).messages)
console.log('denied:', said.includes('large sums are paid by a person'))
