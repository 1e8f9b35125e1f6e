import type { Protocol } from '../http/server-context.ts'
import { agentsServer } from './agents-server.ts'
import { McpEndpoint } from './mcp-endpoint.ts'

/** MCP over streamable HTTP at `/mcp`: each agent is a tool. */
export const mcp: Protocol = {
  name: 'mcp',
  mount(app, context) {
    const { clock, ids, log } = context
    const endpoint = new McpEndpoint({
      serverFor: (principal) => agentsServer(principal, context),
      clock,
      ids,
      log,
    })
    app.all('/mcp', (c) => endpoint.handle(c.req.raw, c.get('principal')))
  },
}
