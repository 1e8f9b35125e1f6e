import type { Context } from 'hono'
import { HttpProblem } from '../http/problem.ts'
import type { Env, ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import type { Evaluations } from '../evaluations/evaluations.ts'
import {
  evaluationChanges,
  evaluationList,
  evaluationRequest,
  evaluationView,
  sinceQuery,
} from './evaluation-schemas.ts'

/** Evaluations on the data sets of the server. For operators. */
export function evaluationRoutes(api: Api, { evaluations }: ServerContext): void {
  const allowed = (c: Context<Env>): Evaluations => {
    if (c.get('principal').isOperator !== true) {
      throw new HttpProblem(403, 'operators_only', 'only operators may do this')
    }
    if (evaluations === undefined) {
      throw new HttpProblem(404, 'no_datasets', 'this server has no folder of data sets')
    }
    return evaluations
  }
  endpoint(api, {
    method: 'get',
    path: '/evaluations',
    tag: 'Evaluations',
    summary: 'List the data sets and the evaluations, newest first; for operators',
    query: none,
    body: none,
    answers: { 200: evaluationList },
    errors: [403, 404],
    async handle(c) {
      const known = allowed(c)
      return c.json({ datasets: await known.datasets(), evaluations: await known.list() })
    },
  })
  endpoint(api, {
    method: 'post',
    path: '/evaluations',
    tag: 'Evaluations',
    summary: 'Run a data set; for operators',
    query: none,
    body: evaluationRequest,
    answers: { 202: evaluationView },
    errors: [403, 404, 409],
    handle: async (c, { body }) =>
      c.json(await allowed(c).start(body.dataset, c.get('principal').name), 202),
  })
  endpoint(api, {
    method: 'get',
    path: '/evaluations/{id}',
    tag: 'Evaluations',
    summary: 'Read an evaluation with its metrics; for operators',
    query: none,
    body: none,
    answers: { 200: evaluationView },
    errors: [403, 404],
    handle: async (c) => c.json(await allowed(c).find(c.req.param('id') ?? '')),
  })
  endpoint(api, {
    method: 'get',
    path: '/evaluations/{id}/changes',
    tag: 'Evaluations',
    summary: 'List the cases that went differently than in an earlier evaluation; for operators',
    query: sinceQuery,
    body: none,
    answers: { 200: evaluationChanges },
    errors: [403, 404],
    handle: async (c, { query }) =>
      c.json(await allowed(c).changes(query.since, c.req.param('id') ?? '')),
  })
}
