// Two ways to instruct a model, split by conversation, and whether one of them does better.
import { createAgent } from 'echelon/chat'
import { abResults, abSplit } from 'echelon/middleware'
import { asBound, scriptedModel } from 'echelon/testing'

// It answers better when it is told to be brief, though not always.
let calls = 0
const model = scriptedModel(
  Array.from({ length: 80 }, () => ({ prompt }) => {
    const isBrief = JSON.stringify(prompt).includes('one sentence')
    return ++calls % 10 < (isBrief ? 9 : 4) ? 'It is sunny.' : 'Well, that depends on many things.'
  }),
)

const results = abResults()
const agent = createAgent({
  model: asBound(model, 'demo/model', ({ output }) => output / 1000),
  use: [
    abSplit({
      experiment: 'brief',
      variants: [
        { name: 'control' },
        { name: 'brief', weight: 1, instructions: 'Answer in one sentence.' },
      ],
      judge: ({ text }) => !text.includes('depends'), // the user's thumb, a checker, a model …
      results,
    }),
  ],
})

for (let user = 0; user < 80; user++) {
  const session = agent.session(`user ${user}`)
  await agent.run('What is the weather?', { session }).result
}

const percent = (share: number | null): string => `${Math.round((share ?? 0) * 100)} %`
for (const [variant, { runs, success, cost }] of Object.entries(results.figures())) {
  console.log(`${variant}: ${runs} runs, ${percent(success.value)} good, $${cost.value} each`)
}
const { value, low, high } = results.compare('brief', 'control').success
console.log(
  `brief is better by ${percent(value)}, 95 % between ${percent(low)} and ${percent(high)}`,
)
console.log(low !== null && low > 0 ? 'take it' : 'not known yet')
