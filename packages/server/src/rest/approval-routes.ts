import type { ApprovalAnswer, ApprovalView } from 'echelon/client'
import { isApproval } from 'echelon/internal/agent'
import type { Redactor } from 'echelon/internal/redaction'
import type { RunSummary } from 'echelon/internal/store'
import type { Principal } from '../access/principal.ts'
import { HttpProblem, notFound } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { ownerOf } from '../runs/owner.ts'
import type { RunHub } from '../runs/run-hub.ts'
import { type WaitingReview, WaitingReviews } from '../runs/waiting-reviews.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { isoTime, summaryView } from './run-view.ts'
import { approvalAnswer, approvalList, statusView } from './schemas.ts'

/** Tool calls that wait for a person: those of the user, or of everybody for an operator. */
export function approvalRoutes(api: Api, context: ServerContext): void {
  const { hub } = context
  const reviews = new WaitingReviews(context.store, hub.allAgents)
  const approvalsIn = (run: RunSummary): readonly ApprovalView[] => approvalsOf(run, context.redact)
  endpoint(api, {
    method: 'get',
    path: '/approvals',
    tag: 'Approvals',
    summary: 'List the tool calls that wait for approval, oldest first',
    query: none,
    body: none,
    answers: { 200: approvalList },
    async handle(c) {
      const principal = c.get('principal')
      const runs = await openRuns(hub, principal)
      const waiting = await reviewsFor(principal, hub, reviews)
      const approvals = [...runs.flatMap(approvalsIn), ...waiting.map(({ view }) => view)]
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
      const isMeant = (one: ApprovalView): boolean => one.run === run && one.request === request
      const approval = approvalsIn(await hub.find(run, principal)).find(isMeant)
      if (approval !== undefined) {
        checkAnswer(approval, body)
        await hub.answer(run, { request, reply: body.choice }, principal)
        return c.json({ status: 'answered' })
      }
      const review = (await reviewsFor(principal, hub, reviews)).find(({ view }) => isMeant(view))
      if (review === undefined) throw notFound('approval that waits under this id')
      checkAnswer(review.view, body)
      const { agent, session } = review
      const decision = { id: request, approved: body.choice === 'once', by: principal.name }
      // The queue is right once the conversation is written.
      await (
        await hub.review(agent, { session, ...decision }, principal)
      ).outcome
      return c.json({ status: 'answered' })
    },
  })
}

/** The user who asked for something in a conversation must not approve it: operators alone review it. */
const reviewsFor = async (
  principal: Principal,
  hub: RunHub,
  reviews: WaitingReviews,
): Promise<readonly WaitingReview[]> =>
  principal.isOperator === true ? reviews.list(hub.agentsOf(principal)) : []

/** @throws HttpProblem 400 for another choice, 409 for another call */
function checkAnswer(approval: ApprovalView, { choice, hash }: ApprovalAnswer): void {
  if (!approval.choices.includes(choice)) {
    const choices = approval.choices.join(', ')
    throw new HttpProblem(400, 'invalid_input', `choice must be one of ${choices}`)
  }
  if (hash !== undefined && hash !== approval.hash) {
    throw new HttpProblem(409, 'changed', 'a different call waits now; read it again')
  }
}

/** Approvals of an answer. The oldest come first, so that the next ones follow once these are answered. */
const MOST = 500
/** Runs that are read at once. */
const CHUNK = 500

/** All runs that are not over: one that waits may be far behind newer ones that work. */
async function openRuns(hub: RunHub, principal: Principal): Promise<readonly RunSummary[]> {
  const found: RunSummary[] = []
  for (let before: string | undefined; ;) {
    const runs = await hub.list(principal, {
      status: ['running', 'waiting'],
      limit: CHUNK,
      ...(before !== undefined && { before }),
    })
    found.push(...runs.filter(({ requests }) => requests.length > 0))
    before = runs.at(-1)?.id
    if (runs.length < CHUNK) return found
  }
}

const approvalsOf = (run: RunSummary, redact: Redactor): readonly ApprovalView[] =>
  run.requests.flatMap(({ id, about, at, until }) => {
    if (!isApproval(about)) return []
    const { agent, session } = summaryView(run, redact)
    const { tool, input, why, choices, hash } = about
    return {
      run: run.id,
      request: id,
      agent,
      session,
      owner: session === null ? null : (ownerOf(run) ?? null),
      asked_by: ownerOf(run) ?? null,
      tool,
      input,
      about: null,
      why,
      choices,
      hash,
      asked_at: isoTime(at),
      expires_at: until === null ? null : isoTime(until),
    }
  })
