// A server of agents, and an MCP client: an agent is a tool, and its questions are asked of the client's user.
import { createServer, serveChat, serveDecider } from '@echelon/server'
import { openStore } from '@echelon/store'
import { createAgent, createDecider, defineTool } from 'echelon'
import { asBound, scriptedModel } from 'echelon/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

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
const decider = await createDecider({ small: 'offline/small', big: 'offline/big' })
const agents = [serveChat(agent, { description: 'Helps buyers.' }), serveDecider(decider)]
const server = createServer({ agents, store })
const url = await server.listen({ port: 0 })

const client = new Client({ name: 'desk', version: '1.0.0' }, { capabilities: { elicitation: {} } })
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  console.log(params.message)
  return { action: 'accept', content: { decision: 'once' } }
})
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
const { tools } = await client.listTools()
console.log(tools.map(({ name }) => name).join(' '))
const sum = await client.callTool({ name: 'decide', arguments: { input: 'What is 15 * 23?' } })
console.log(sum.structuredContent)
const refunded = await client.callTool({ name: 'clerk', arguments: { input: 'Refund O-1.' } })
console.log(refunded.content)

await client.close()
await server.stop()
await store.close()
