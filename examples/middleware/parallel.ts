// Several models asked at the same time: the first good answer, a hedge against a slow one, and a vote.
import { createAgent } from 'echelon/chat'
import { parallel } from 'echelon/middleware'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'

// Scripted models stand for real ones: 'openai/gpt-5-nano' would do as well as `fast`.
const model = (name: string, ...script: ScriptedAnswer[]) =>
  asBound(scriptedModel(script, { modelId: name }))
const slow = { text: 'Far too late.', delayMs: 60_000 }

const first = createAgent({
  model: model('slow', slow),
  use: [
    parallel([model('empty', ''), model('fast', 'It is Lisbon.')], {
      mode: 'first', // or, to be asked only when nobody has answered by then: afterMs: 800
      good: ({ text }) => text !== '',
    }),
  ],
})
const won = first.run('What is the capital of Portugal?')
for await (const event of won) {
  if (event.type === 'middleware') console.log(event.middleware, event.event, event.data)
}
// The slow call's usage is unknown. Here all are free; else its worst case is charged.
const { text, cost } = await won.result
console.log(text, 'cost', cost, 'calls', won.spent['calls.main'])

const voting = createAgent({
  model: model('a', 'About 90 dollars'),
  use: [
    parallel([model('b', '80 dollars'), model('c', '90')], {
      mode: 'vote',
      key: (answer) => /\d+/.exec(answer.text)?.[0] ?? answer.text,
      quorum: 2,
    }),
  ],
})
const vote = await voting.run('A shirt costs $40 and is 25% off; what do three cost?').result
console.log(vote.text, vote.usage)

// No quorum: the call fails. With `quorum: 1` it would be the first model's answer.
const divided = createAgent({
  model: model('a', '1'),
  use: [parallel([model('b', '2'), model('c', '3')], { mode: 'vote' })],
})
const { reason, detail } = await divided.run('How many?').outcome
console.log(reason, detail)
