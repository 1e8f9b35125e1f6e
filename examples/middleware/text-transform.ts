// Answers changed as they come: words replaced, numbers masked, an end cut off; the same streamed or not.
import { createAgent } from 'echelon/chat'
import { transformText } from 'echelon/middleware'
import { asBound, scriptedModel } from 'echelon/testing'

// A scripted model stands for a real one. It streams in pieces that cut words in two.
const text = [
  'Our pri',
  'ce is $4',
  '0, or 40 doll',
  'ars; account 1234-56',
  '78. <no',
  'tes>secret',
]

const agent = createAgent({
  model: asBound(scriptedModel([{ text }, { text }])),
  use: [
    transformText({
      replace: [
        { find: /\bprice\b/i, with: (found) => (found === 'price' ? 'fee' : 'Fee') },
        { find: / dollars/, with: ' USD' },
      ],
      mask: [/\d{4}-\d{4}/],
      keep: 4,
      cutAt: '<notes>',
      longest: 12, // of a find; so much is held back
    }),
  ],
})

const run = agent.run('What does it cost?')
for await (const event of run) {
  if (event.type === 'text-delta') console.log(JSON.stringify(event.delta))
}
const streamed = (await run.result).text
const atOnce = (await agent.run('What does it cost?').result).text
console.log(streamed, streamed === atOnce)
