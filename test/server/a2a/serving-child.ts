import { createServer, a2a } from '@echelon/server'
import { openStore } from '@echelon/store'
import { copiesTool, scriptedChat } from './a2a-served.ts'

// A server in a process of its own, which the test kills: its agent asks, and waits for the reply.
const [file = ''] = process.argv.slice(2)
const store = await openStore(file)
const asks = { text: 'Let me ask.', toolCalls: [{ tool: 'copies', input: {} }] }
const server = createServer({
  agents: [scriptedChat(store, [asks], { tools: [copiesTool] })],
  store,
  protocols: [a2a()],
  authenticate: () => ({ name: 'ann' }),
})
console.log(await server.listen({ port: 0 }))
