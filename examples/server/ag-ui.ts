// A server of agents, and a page's AG-UI client: text, a tool that waits for approval, and the answer to it.
import { HttpAgent } from '@ag-ui/client'
import { createServer, serveChat } from '@echelon/server'
import { openStore } from '@echelon/store'
import { createAgent, defineTool } from 'echelon'
import { asBound, scriptedModel } from 'echelon/testing'

const refund = defineTool({
  name: 'refund',
  description: 'Sends money back.',
  does: 'acts',
  needsApproval: true,
  input: { type: 'object', properties: { order: { type: 'string' } } },
  run: async () => 'refunded',
})

const store = await openStore(':memory:')
/** A scripted model stands for a real one. */
const model = scriptedModel([
  { toolCalls: [{ tool: 'refund', input: { order: 'O-1' } }] },
  'The money is on its way.',
])
const agent = createAgent({ name: 'clerk', model: asBound(model), tools: [refund], store })
const server = createServer({ agents: [serveChat(agent, { description: 'Helps buyers.' })], store })
const url = await server.listen({ port: 0 })

const client = new HttpAgent({ url: `${url}/ag-ui/clerk`, threadId: 'thread-1' })
client.addMessage({ id: 'message-1', role: 'user', content: 'Refund O-1, please.' })
await client.runAgent()
const [interrupt] = client.pendingInterrupts
console.log(interrupt?.reason, interrupt?.message)
if (interrupt !== undefined) {
  const resume = [{ interruptId: interrupt.id, status: 'resolved' as const, payload: 'once' }]
  await client.runAgent({ resume })
}
console.log(client.messages.at(-1)?.content)
console.log(client.state)

await server.stop()
await store.close()
