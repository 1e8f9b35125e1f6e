import type { Context } from 'hono'
import type { IntentKeeper } from '../agents/served-agent.ts'
import { HttpProblem, notFound } from '../http/problem.ts'
import type { Env, ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { intentChange, keptIntent } from './intent-schemas.ts'

/** The intent of the layered assistant: each user reads and changes their own. */
export function intentRoutes(api: Api, { hub }: ServerContext): void {
  const keeperOf = (c: Context<Env>): IntentKeeper => {
    const agent = hub.agent(c.req.param('name') ?? '', c.get('principal'))
    if (agent.intents === undefined) throw notFound(`intent of the agent ${agent.name}`)
    return agent.intents
  }
  endpoint(api, {
    method: 'get',
    path: '/agents/{name}/intent',
    tag: 'Agents',
    summary: 'Read your intent, by which the assistant works',
    query: none,
    body: none,
    answers: { 200: keptIntent },
    errors: [404],
    handle: async (c) => c.json(await keeperOf(c).read(c.get('principal').name)),
  })
  endpoint(api, {
    method: 'put',
    path: '/agents/{name}/intent',
    tag: 'Agents',
    summary: 'Replace your intent, if it still has the version that you read',
    query: none,
    body: intentChange,
    answers: { 200: keptIntent },
    errors: [404, 409],
    async handle(c, { body }) {
      const { intent, if_version: version } = body
      const written = await keeperOf(c).write(c.get('principal').name, intent, version)
      if (written !== 'conflict') return c.json(written)
      throw new HttpProblem(409, 'changed', 'the intent was changed meanwhile; read it again')
    },
  })
}
