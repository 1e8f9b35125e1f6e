import type { AgentView } from 'echelon/client'
import type { JsonObject } from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'
import type { ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { agentList, agentView } from './schemas.ts'

/** The agents that a user may use, with schemas of their input for forms. */
export function agentRoutes(api: Api, { hub }: ServerContext): void {
  endpoint(api, {
    method: 'get',
    path: '/agents',
    tag: 'Agents',
    summary: 'List the agents',
    query: none,
    body: none,
    answers: { 200: agentList },
    handle: (c) => c.json({ agents: hub.agentsOf(c.get('principal')).map(viewOf) }),
  })
  endpoint(api, {
    method: 'get',
    path: '/agents/{name}',
    tag: 'Agents',
    summary: 'Read an agent',
    query: none,
    body: none,
    answers: { 200: agentView },
    errors: [404],
    handle: (c) => c.json(viewOf(hub.agent(c.req.param('name') ?? '', c.get('principal')))),
  })
}

const viewOf = (agent: ServedAgent): AgentView => ({
  name: agent.name,
  kind: agent.kind,
  description: agent.description,
  models: agent.models,
  tools: agent.tools.map(({ name, description }) => ({ name, description })),
  accepts: {
    sessions: agent.accepts.sessions,
    files: agent.accepts.files,
    output: agent.accepts.output,
  },
  max_cost: agent.maxCost,
  input_schema: inputSchema(agent),
})

const inputSchema = ({ name, accepts, options }: ServedAgent): JsonObject => ({
  type: 'object',
  properties: {
    agent: { const: name },
    input: { type: 'string', description: 'What you ask' },
    ...(accepts.sessions && {
      session: { type: 'string', description: 'A conversation of your choice' },
    }),
    ...(accepts.output && {
      output: { type: 'object', description: 'JSON Schema of the answer' },
    }),
    ...(accepts.files && { files: { type: 'array', items: { type: 'object' } } }),
    options,
  },
  required: ['agent', 'input'],
  additionalProperties: false,
})
