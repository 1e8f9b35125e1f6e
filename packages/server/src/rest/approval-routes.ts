import type { ApprovalView } from 'echelon/client'
import { isApproval } from 'echelon/internal/agent'
import type { RunSummary } from 'echelon/internal/store'
import { HttpProblem, notFound } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { ownerOf } from '../runs/owner.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { isoTime, summaryView } from './run-view.ts'
import { approvalAnswer, approvalList, statusView } from './schemas.ts'

/** Tool calls that wait for a person: those of the user, or of everybody for an operator. */
export function approvalRoutes(api: Api, { hub }: ServerContext): void {
  endpoint(api, {
    method: 'get',
    path: '/approvals',
    tag: 'Approvals',
    summary: 'List the tool calls that wait for approval, oldest first',
    query: none,
    body: none,
    answers: { 200: approvalList },
    async handle(c) {
      const runs = await hub.list(c.get('principal'), {
        status: ['running', 'waiting'],
        limit: MOST,
      })
      const approvals = runs
        .flatMap(approvalsOf)
        .sort((a, b) => (a.asked_at < b.asked_at ? -1 : 1))
        .slice(0, MOST)
      return c.json({ approvals })
    },
  })
  endpoint(api, {
    method: 'post',
    path: '/approvals/{run}/{request}',
    tag: 'Approvals',
    summary: 'Answer with one of the choices',
    query: none,
    body: approvalAnswer,
    answers: { 200: statusView },
    errors: [404, 409],
    async handle(c, { body }) {
      const principal = c.get('principal')
      const { run = '', request = '' } = c.req.param()
      const approval = approvalsOf(await hub.find(run, principal)).find(
        (one) => one.request === request,
      )
      if (approval === undefined) throw notFound('approval that waits under this id')
      const { choice, hash } = body
      if (!approval.choices.includes(choice)) {
        const choices = approval.choices.join(', ')
        throw new HttpProblem(400, 'invalid_input', `choice must be one of ${choices}`)
      }
      if (hash !== undefined && hash !== approval.hash) {
        throw new HttpProblem(
          409,
          'changed',
          'the call that waits is another one now; read it again',
        )
      }
      await hub.answer(run, { request, reply: choice }, principal)
      return c.json({ status: 'answered' })
    },
  })
}

const MOST = 500

const approvalsOf = (run: RunSummary): readonly ApprovalView[] =>
  run.requests.flatMap(({ id, about, at, until }) => {
    if (!isApproval(about)) return []
    const { agent, session } = summaryView(run)
    const { tool, input, why, choices, hash } = about
    return {
      run: run.id,
      request: id,
      agent,
      session,
      asked_by: ownerOf(run) ?? null,
      tool,
      input,
      why,
      choices,
      hash,
      asked_at: isoTime(at),
      expires_at: until === null ? null : isoTime(until),
    }
  })
