import type { Context } from 'hono'
import { HttpProblem } from '../http/problem.ts'
import type { Env, Protocol } from '../http/server-context.ts'
import { chatCompletions } from './chat-completions.ts'
import { agentOf, type Shared } from './exchange.ts'
import { modelOf } from './models.ts'
import { asProblem, openAiError } from './openai-problem.ts'
import { responses } from './responses.ts'
import { WaitingCalls } from './waiting-calls.ts'

/** OpenAI's HTTP API: each agent is a model. */
export const openAiApi: Protocol = {
  name: 'openai',
  refusal: (problem, path) => (path.startsWith('/v1/') ? openAiError(problem) : undefined),
  mount(app, context) {
    const shared: Shared = { context, waiting: new WaitingCalls(context.clock) }
    app.get('/v1/models', (c) =>
      c.json({ object: 'list', data: context.hub.agentsOf(c.get('principal')).map(modelOf) }),
    )
    app.get('/v1/models/:id', (c) =>
      c.json(modelOf(agentOf(shared, c.req.param('id'), c.get('principal')))),
    )
    app.post('/v1/chat/completions', (c) => answered(c, shared, chatCompletions))
    app.post('/v1/responses', (c) => answered(c, shared, responses))
  },
}

/** Faults of the client's schemas are refusals here, not faults of the server. */
async function answered(
  c: Context<Env>,
  shared: Shared,
  handle: (c: Context<Env>, shared: Shared) => Promise<Response>,
): Promise<Response> {
  try {
    return await handle(c, shared)
  } catch (error) {
    const problem = asProblem(error)
    throw problem.status >= 500 && !(error instanceof HttpProblem) ? error : problem
  }
}
