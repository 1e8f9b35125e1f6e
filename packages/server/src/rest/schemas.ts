import {
  AGENT_KINDS,
  type AgentView,
  type AnswerRequest,
  type ApprovalAbout,
  type ApprovalAnswer,
  type ApprovalView,
  type ArtifactView,
  CHECKED,
  COST_GROUPS,
  type CostGroupView,
  type CostReport,
  type ErrorView,
  type FileInput,
  type ForkRequest,
  REQUEST_KINDS,
  type RequestView,
  RUN_STATUSES,
  type RunEndView,
  type RunFilterQuery,
  type RunPage,
  type RunRequest,
  type RunSummaryView,
  type RunView,
  type SessionMessages,
  type SessionView,
} from 'echelon/client'
import { z } from 'zod'
import { count, idText, json, money, object, time } from './schema-parts.ts'

/*
 * The bodies of the REST API, as they are checked and as the OpenAPI document shows them. Bodies of
 * requests are bounded and strict; the depth of `json` values is limited when the body is read.
 */

const LONGEST_INPUT = 1_000_000
const MOST_FILES = 20

const fileInput: z.ZodType<FileInput> = z
  .strictObject({
    name: z.string().max(255).optional(),
    media_type: z.string().max(127).optional(),
    data: z.base64().optional(),
    url: z.url().max(4096).optional(),
  })
  .meta({ id: 'FileInput', description: 'Send either data (base64) or a public url' })

export const runRequest: z.ZodType<RunRequest> = z
  .strictObject({
    agent: idText,
    input: z.string().max(LONGEST_INPUT),
    session: idText.optional(),
    options: object.optional(),
    output: object.optional().meta({ description: 'JSON Schema of the answer' }),
    files: z.array(fileInput).max(MOST_FILES).optional(),
  })
  .meta({ id: 'RunRequest' })

const rung = z
  .object({
    model: z.string(),
    calls: count,
    input_tokens: count,
    output_tokens: count,
    cost: money,
  })
  .meta({ id: 'Rung' })

const runEnd: z.ZodType<RunEndView> = z
  .object({
    status: z.enum(['finished', 'canceled', 'failed']),
    text: z.string(),
    output: json.optional(),
    reason: z.string(),
    detail: z.string().nullable(),
    input_tokens: count,
    output_tokens: count,
    cost: money,
    rungs: z.array(rung),
    checked: z.enum(CHECKED),
    confidence: z.number().min(0).max(1).nullable(),
    escalated: z.boolean(),
    needs_input: z.boolean(),
    details: object,
  })
  .meta({ id: 'RunEnd' })

const request: z.ZodType<RequestView> = z
  .object({
    id: z.string(),
    kind: z.enum(REQUEST_KINDS),
    about: json,
    asked_at: time,
    expires_at: time.nullable(),
  })
  .meta({ id: 'Request' })

const artifact: z.ZodType<ArtifactView> = z
  .object({
    name: z.string(),
    media_type: z.string(),
    bytes: count,
    sha256: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Artifact' })

const summaryShape = {
  id: z.string(),
  agent: z.string(),
  asked: z.string().nullable(),
  status: z.enum(RUN_STATUSES),
  reason: z.string().nullable(),
  session: z.string().nullable(),
  owner: z.string().nullable(),
  forked_from: z.string().nullable(),
  began_at: time,
  changed_at: time,
  requests: z.array(request),
}

const runSummary: z.ZodType<RunSummaryView> = z.object(summaryShape).meta({ id: 'RunSummary' })

export const runView: z.ZodType<RunView> = z
  .object({ ...summaryShape, end: runEnd.nullable(), artifacts: z.array(artifact) })
  .meta({ id: 'Run' })

export const runPage: z.ZodType<RunPage> = z
  .object({ runs: z.array(runSummary), next: z.string().nullable() })
  .meta({ id: 'RunPage' })

const whose = idText.optional().meta({ description: 'Another user, for operators' })

export const runFilter: z.ZodType<RunFilterQuery> = z.strictObject({
  status: z.enum(RUN_STATUSES).optional(),
  agent: idText.optional(),
  session: idText.optional(),
  owner: whose,
  search: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
  // Ids of runs can hold those of their conversations.
  before: z.string().min(1).max(2000).optional(),
})

export const eventsQuery: z.ZodType<{ readonly after?: string | undefined }> = z.strictObject({
  after: z
    .string()
    .max(40)
    .optional()
    .meta({ description: 'The id of the last event that you have; as Last-Event-ID' }),
})

export const answerRequest: z.ZodType<AnswerRequest> = z
  .strictObject({ request: idText, reply: json })
  .meta({ id: 'Answer' })

export const forkRequest: z.ZodType<ForkRequest> = z
  .strictObject({
    at: z.int().min(0).max(1e9),
    act: z.array(idText).max(100).optional(),
    models: z
      .record(idText, idText)
      .optional()
      .meta({ description: 'Other models by role, as provider/model' }),
  })
  .meta({ id: 'Fork' })

const sessionShape = {
  id: z.string(),
  agent: z.string(),
  owner: z.string(),
  length: count,
  began_at: time,
  changed_at: time,
}

export const sessionList: z.ZodType<{ readonly sessions: readonly SessionView[] }> = z
  .object({ sessions: z.array(z.object(sessionShape).meta({ id: 'Session' })) })
  .meta({ id: 'SessionList' })

export const sessionMessages: z.ZodType<SessionMessages> = z
  .object({
    ...sessionShape,
    messages: z.array(
      z.object({ role: z.string(), text: z.string(), content: json }).meta({ id: 'Message' }),
    ),
  })
  .meta({ id: 'SessionMessages' })

export const sessionQuery: z.ZodType<{
  readonly agent?: string | undefined
  readonly limit?: number | undefined
  readonly owner?: string | undefined
}> = z.strictObject({
  agent: idText.optional(),
  owner: whose,
  limit: z.coerce.number().int().min(1).max(500).optional(),
})

export const ownerQuery: z.ZodType<{ readonly owner?: string | undefined }> = z.strictObject({
  owner: whose,
})

const approvalAbout: z.ZodType<ApprovalAbout> = z
  .object({
    customer: z.string().nullable(),
    order: z.string().nullable(),
    items: z.string().nullable(),
    amount: money,
    confirmation: z.string().nullable(),
  })
  .meta({ id: 'ApprovalAbout' })

const approval: z.ZodType<ApprovalView> = z
  .object({
    run: z.string(),
    request: z.string(),
    agent: z.string(),
    session: z.string().nullable(),
    owner: z.string().nullable(),
    asked_by: z.string().nullable(),
    tool: z.string(),
    input: json,
    about: approvalAbout.nullable(),
    why: z.string(),
    choices: z.array(z.string()),
    hash: z.string(),
    asked_at: time,
    expires_at: time.nullable(),
  })
  .meta({ id: 'Approval' })

export const approvalList: z.ZodType<{ readonly approvals: readonly ApprovalView[] }> = z
  .object({ approvals: z.array(approval) })
  .meta({ id: 'ApprovalList' })

export const approvalAnswer: z.ZodType<ApprovalAnswer> = z
  .strictObject({ choice: z.string().max(20), hash: z.string().max(128).optional() })
  .meta({ id: 'ApprovalAnswer' })

export const agentView: z.ZodType<AgentView> = z
  .object({
    name: z.string(),
    kind: z.enum(AGENT_KINDS),
    description: z.string(),
    models: z.array(z.string()),
    tools: z.array(z.object({ name: z.string(), description: z.string() })),
    accepts: z.object({ sessions: z.boolean(), files: z.boolean(), output: z.boolean() }),
    max_cost: money,
    input_schema: object,
  })
  .meta({ id: 'Agent' })

export const agentList: z.ZodType<{ readonly agents: readonly AgentView[] }> = z
  .object({ agents: z.array(agentView) })
  .meta({ id: 'AgentList' })

const day = z.iso.date()

export const costQuery: z.ZodType<{
  readonly by?: CostGroupView | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}> = z.strictObject({
  by: z.enum(COST_GROUPS).optional(),
  since: day.optional().meta({ description: 'First day, UTC; default 30 days ago' }),
  until: day.optional().meta({ description: 'Last day, UTC; default today' }),
})

export const costReport: z.ZodType<CostReport> = z
  .object({
    by: z.enum(COST_GROUPS),
    since: day,
    until: day,
    rows: z.array(
      z
        .object({
          key: z.string(),
          runs: count,
          calls: count,
          input_tokens: count,
          output_tokens: count,
          cost: z.number(),
          unpriced: count,
          saved: z.number(),
        })
        .meta({ id: 'CostRow' }),
    ),
    saved: z.object({
      amount: z.number(),
      otherwise: z.number(),
      runs: count,
      left_out: count,
      method: z.string(),
    }),
    today: z.object({ spent: z.number(), held: z.number(), limit: z.number().nullable() }),
  })
  .meta({ id: 'CostReport' })

export const errorView: z.ZodType<ErrorView> = z
  .object({ error: z.object({ code: z.string(), message: z.string() }) })
  .meta({ id: 'Error' })

export const statusView: z.ZodType<{
  readonly status: string
  readonly reason?: string | undefined
}> = z.object({ status: z.string(), reason: z.string().optional() }).meta({ id: 'Status' })
