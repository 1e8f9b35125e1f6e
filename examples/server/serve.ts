// One agent, served to every kind of client. Here a client of OpenAI's HTTP API asks it.
import { createDecider } from 'echelon'
import { createServer, serveDecider } from '@echelon/server'
import { openStore } from '@echelon/store'

const store = await openStore(':memory:')
const decider = await createDecider({
  small: 'offline/small',
  big: 'offline/big',
  journal: store.runs,
})
const server = createServer({ agents: [serveDecider(decider)], store })
const url = await server.listen({ port: 0 })

const response = await fetch(`${url}/v1/chat/completions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    model: 'decide',
    messages: [{ role: 'user', content: 'What is 15 * 23?' }],
  }),
})
console.log(response.headers.get('x-echelon-checked'), await response.text())

await server.stop()
await store.close()
