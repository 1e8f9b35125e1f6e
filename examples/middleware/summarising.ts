// A long conversation within a number of tokens: its oldest part is sent as a summary that rolls along.
import { createAgent } from 'echelon/chat'
import { summarising } from 'echelon/middleware'
import { asBound, promptText, scriptedModel } from 'echelon/testing'

// A scripted model stands for a real one, and keeps what it was sent.
const model = scriptedModel([], { beyond: 'I have noted that.' })

const agent = createAgent({
  model: asBound(model),
  use: [summarising({ maxTokens: 300, keepTokens: 120 })],
})

const session = agent.session()
for (let day = 1; day <= 9; day++) {
  const text = `Order O-1000${day} came on day ${day}. It was late, and the box was damaged a little.`
  const run = agent.run(text, { session })
  for await (const event of run) {
    if (event.type === 'middleware') console.log(`day ${day}:`, event.event)
  }
}

const [, facts] = promptText(model.calls.at(-1) ?? { prompt: [] }).split('\n')
console.log(facts)
console.log('the session keeps', session.messages.length, 'messages')
console.log('the model was sent', model.calls.at(-1)?.prompt.length)
