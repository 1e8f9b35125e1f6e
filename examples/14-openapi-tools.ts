// An OpenAPI document as tools: reads run, writes ask for approval, and the key is never shown.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createAgent } from 'echelon/chat'
import { asBound, scriptedModel } from 'echelon/testing'
import { openApiTools } from '@echelon/tools'

// A minimal server for the operations used here.
const server = createServer((request, response) => {
  const hasKey = request.headers.authorization === 'Bearer a-made-up-key'
  response.writeHead(hasKey ? 201 : 401, { 'content-type': 'application/json' })
  response.end(JSON.stringify(hasKey ? { number: 2, name: 'Fee' } : { error: 'who are you?' }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : address

const tools = await openApiTools({
  document: join(import.meta.dirname, 'openapi/shelter.yaml'),
  // Replaces the server that the document names.
  baseUrl: `http://127.0.0.1:${port}/v1`,
  auth: { token: 'a-made-up-key' },
  only: ({ tags }) => tags.includes('animals'),
})
for (const { name, does, needsApproval } of tools) {
  console.log(name, does, needsApproval ? 'asks' : '')
}

// A scripted model stands for a real one.
const agent = createAgent({
  model: asBound(
    scriptedModel([
      { toolCalls: [{ tool: 'listAnimals', input: { query: { kind: 'fox' } } }] },
      { toolCalls: [{ tool: 'take_in', input: { body: { name: 'Fee', kind: 'hen' } } }] },
      { toolCalls: [{ tool: 'giveAway', input: { path: { animal: 1 } } }] },
      'Fee is number 2, and Mo stays.',
    ]),
  ),
  tools,
  permissions: { rules: [{ tools: 'giveAway', verdict: 'deny', reason: 'people do that' }] },
})
const run = agent.run('Take in the hen Fee, and give Mo away.')
for await (const event of run) {
  if (event.type === 'request-open') run.respond(event.request, 'once')
  if (event.type === 'tool-end') console.log(event.call.tool, event.outcome)
}
console.log((await run.result).text)
server.close()
