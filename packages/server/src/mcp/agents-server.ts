import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Principal } from '../access/principal.ts'
import { problemOf } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { agentTool, ANSWER_TOOL, answerRequest, answerTool, callAgent } from './agent-tools.ts'
import { errorResult } from './agent-result.ts'
import { getPrompt, promptOf } from './prompts.ts'
import { filesOf, listResources, readResource, RESOURCE_TEMPLATES } from './resources.ts'

type Context = Pick<ServerContext, 'hub' | 'store' | 'clock' | 'log' | 'version'>

/** The protocol's code for a missing resource. */
const RESOURCE_NOT_FOUND = -32002

/** An MCP server of the agents that a user may use. It serves one client. */
export function agentsServer(principal: Principal, context: Context): McpServer {
  const server = new McpServer(
    { name: 'echelon', version: context.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions:
        'Each tool is an agent. It runs on the cheapest model whose answer can be verified; the result says whether it was checked and what it cost.',
    },
  )
  serveTools(server, principal, context)
  serveResources(server, principal, context)
  servePrompts(server, principal, context)
  return server
}

function serveTools(server: McpServer, principal: Principal, context: Context): void {
  const { hub } = context
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...hub.agentsOf(principal).map(agentTool), answerTool],
  }))
  server.server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal, requestId, _meta, sendNotification }): Promise<CallToolResult> => {
      const caller = {
        principal,
        server,
        signal,
        request: requestId,
        progressToken: _meta?.progressToken,
        notify: sendNotification,
        filesOf: (run: string) => filesOf(run, context),
      }
      const { name, arguments: given } = params
      const agent = hub.agentsOf(principal).find((one) => one.name === name)
      if (agent === undefined && name !== ANSWER_TOOL) {
        throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name.slice(0, 200)}`)
      }
      try {
        return agent === undefined
          ? await answerRequest(given, { caller, context })
          : await callAgent(agent, given, { caller, context })
      } catch (error) {
        return errorResult(shown(error, context))
      }
    },
  )
}

function serveResources(server: McpServer, principal: Principal, context: Context): void {
  server.server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: await listResources(principal, context),
  }))
  server.server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES],
  }))
  server.server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      return await readResource(uri, principal, context)
    } catch (error) {
      const isUnknown = problemOf(error).status === 404
      const code = isUnknown ? RESOURCE_NOT_FOUND : ErrorCode.InternalError
      throw new McpError(code, shown(error, context), { uri })
    }
  })
}

function servePrompts(server: McpServer, principal: Principal, { hub }: Context): void {
  server.server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: hub.agentsOf(principal).map(promptOf),
  }))
  server.server.setRequestHandler(
    GetPromptRequestSchema,
    ({ params: { name, arguments: given } }) => {
      try {
        return getPrompt(hub.agentsOf(principal), { name, input: given?.['input'] })
      } catch (error) {
        throw new McpError(ErrorCode.InvalidParams, problemOf(error).message)
      }
    },
  )
}

/** The sentence of a problem; faults of the program stay in the log. */
function shown(error: unknown, { log }: Pick<Context, 'log'>): string {
  const problem = problemOf(error)
  if (problem.status >= 500 && problem.code === 'internal_error') log(`mcp: ${String(error)}`)
  return problem.message
}
