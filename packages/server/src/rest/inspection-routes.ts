import type { Context } from 'hono'
import { inspectRun, type InspectedRun } from '../inspection/inspected-run.ts'
import { journalPage } from '../inspection/journal-page.ts'
import { ledgerView } from '../inspection/ledger.ts'
import { modelCalls } from '../inspection/model-calls.ts'
import { stepList, stepState } from '../inspection/step-list.ts'
import { notFound } from '../http/problem.ts'
import type { Env, ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import {
  journalSchema,
  ledgerSchema,
  modelCallsSchema,
  pageQuery,
  stepListSchema,
  stepStateSchema,
} from './inspection-schemas.ts'

/** The inside of a run, for its user and for operators, redacted. */
export function inspectionRoutes(api: Api, context: ServerContext): void {
  steps(api, context)
  records(api, context)
}

/** @throws HttpProblem 404, also for another user's run */
async function inspected(
  c: Context<Env>,
  { hub, store, redact }: ServerContext,
): Promise<InspectedRun> {
  const summary = await hub.find(c.req.param('id') ?? '', c.get('principal'))
  return inspectRun(summary, { store, redact, agent: hub.agentOfRun(summary) })
}

function steps(api: Api, context: ServerContext): void {
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}/steps',
    tag: 'Runs',
    summary: 'List the steps of a run, with what changed in its state',
    query: pageQuery,
    body: none,
    answers: { 200: stepListSchema },
    errors: [404],
    handle: async (c, { query }) => c.json(stepList(await inspected(c, context), query)),
  })
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}/steps/{n}',
    tag: 'Runs',
    summary: 'Read a step, with the states before and after it',
    query: none,
    body: none,
    answers: { 200: stepStateSchema },
    errors: [404],
    async handle(c) {
      const n = c.req.param('n') ?? ''
      const run = await inspected(c, context)
      if (!/^\d{1,9}$/.test(n)) throw notFound(`step ${n} of this run`)
      return c.json(stepState(run, Number(n)))
    },
  })
}

function records(api: Api, context: ServerContext): void {
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}/journal',
    tag: 'Runs',
    summary: 'Read the entries of the journal of a run',
    query: pageQuery,
    body: none,
    answers: { 200: journalSchema },
    errors: [404],
    handle: async (c, { query }) => c.json(journalPage(await inspected(c, context), query)),
  })
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}/messages',
    tag: 'Runs',
    summary: 'Read the prompts and answers of the model calls of a run',
    query: pageQuery,
    body: none,
    answers: { 200: modelCallsSchema },
    errors: [404],
    handle: async (c, { query }) => c.json(modelCalls(await inspected(c, context), query)),
  })
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}/ledger',
    tag: 'Runs',
    summary: 'Read the budget of a run: limits, and what is reserved, spent and left',
    query: none,
    body: none,
    answers: { 200: ledgerSchema },
    errors: [404],
    handle: async (c) => c.json(ledgerView(await inspected(c, context))),
  })
}
