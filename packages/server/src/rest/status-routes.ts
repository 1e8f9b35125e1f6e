import { HttpProblem } from '../http/problem.ts'
import { LateAnswer, promptly } from '../http/prompt-read.ts'
import type { ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { statusView } from './schemas.ts'

/** A database that is away is waited for by runs, but not by a probe. */
const READY_MS = 1500

/** Health, readiness and metrics. */
export function statusRoutes(api: Api, { hub, store, metrics, problem }: ServerContext): void {
  const readStore = promptly(async () => store.runs.list({ limit: 1 }), READY_MS)
  endpoint(api, {
    method: 'get',
    path: '/healthz',
    tag: 'Status',
    summary: 'Whether the process lives',
    query: none,
    body: none,
    isOpen: true,
    answers: { 200: statusView },
    handle: (c) => c.json({ status: 'ok' }),
  })
  endpoint(api, {
    method: 'get',
    path: '/readyz',
    tag: 'Status',
    summary: 'Whether the server takes runs, or why not',
    query: none,
    body: none,
    isOpen: true,
    answers: { 200: statusView, 503: statusView },
    async handle(c) {
      if (hub.isStopping)
        return c.json({ status: 'not_ready', reason: 'the server is stopping' }, 503)
      const reason = problem()
      if (reason !== undefined) return c.json({ status: 'not_ready', reason }, 503)
      try {
        await readStore()
        return c.json({ status: 'ready' })
      } catch (error) {
        const why =
          error instanceof LateAnswer
            ? 'the database cannot be reached'
            : 'the store cannot be read'
        return c.json({ status: 'not_ready', reason: why }, 503)
      }
    },
  })
  endpoint(api, {
    method: 'get',
    path: '/metrics',
    tag: 'Status',
    summary: 'Metrics for Prometheus; for operators',
    query: none,
    body: none,
    answers: { 200: 'text/plain' },
    errors: [403],
    async handle(c) {
      if (c.get('principal').isOperator !== true) throw operatorsOnly()
      return c.text(await metrics.text(), 200, { 'content-type': metrics.contentType })
    },
  })
}

const operatorsOnly = (): HttpProblem =>
  new HttpProblem(403, 'operators_only', 'only operators may do this')
