import type { IntentChange, KeptIntent } from './assist-wire.ts'
import { type ClientOptions, Connection } from './connection.ts'
import type {
  EvaluationChanges,
  EvaluationList,
  EvaluationView,
  TuneSetList,
  TuneView,
} from './evaluation-wire.ts'
import { type RunsClient, runsOf } from './runs-client.ts'
import type {
  AgentView,
  ApprovalAnswer,
  ApprovalView,
  CostGroupView,
  CostReport,
  SessionMessages,
  SessionView,
} from './wire.ts'

/** A client of an Echelon server. All methods throw `ClientError`. */
export interface Client {
  readonly runs: RunsClient
  readonly sessions: SessionsClient
  readonly approvals: ApprovalsClient
  readonly agents: AgentsClient
  /** For operators. */
  readonly evaluations: EvaluationsClient
  /** The frontiers of recorded answers; for operators. */
  readonly tune: TuneClient
  readonly intent: IntentClient
  /** Costs of runs, by day (default), agent, model or user. */
  costs(query?: {
    readonly by?: CostGroupView
    readonly since?: string
    readonly until?: string
  }): Promise<CostReport>
}

export interface SessionsClient {
  list(filter?: {
    readonly agent?: string
    readonly limit?: number
    /** Another user, for operators: only their conversations. */
    readonly owner?: string
  }): Promise<readonly SessionView[]>
  get(agent: string, session: string, whose?: WhoseSession): Promise<SessionMessages>
  /** Deletes it with its runs and all its data. */
  delete(agent: string, session: string, whose?: WhoseSession): Promise<void>
}

/** Whose conversation is meant; default yours. */
export interface WhoseSession {
  /** Another user, for operators. */
  readonly owner?: string
}

export interface ApprovalsClient {
  /** Tool calls that wait for a person, oldest first. */
  list(): Promise<readonly ApprovalView[]>
  answer(approval: Pick<ApprovalView, 'run' | 'request'>, answer: ApprovalAnswer): Promise<void>
}

export interface AgentsClient {
  list(): Promise<readonly AgentView[]>
  get(name: string): Promise<AgentView>
}

export interface EvaluationsClient {
  /** The data sets, and the evaluations, newest first. */
  list(): Promise<EvaluationList>
  get(id: string): Promise<EvaluationView>
  start(dataset: string): Promise<EvaluationView>
  /** The cases that went differently than in an earlier evaluation of the data set. */
  changes(id: string, since: string): Promise<EvaluationChanges>
}

export interface TuneClient {
  /** Names of the sets of recorded answers. */
  list(): Promise<readonly string[]>
  get(name: string): Promise<TuneView>
}

/** The intent of the layered assistant: yours. */
export interface IntentClient {
  get(agent: string): Promise<KeptIntent>
  /** Replaces it. */
  set(agent: string, change: IntentChange): Promise<KeptIntent>
}

const RECONNECTS = 8

/** Creates a client of an Echelon server. It sends nothing before a method is called. */
export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options)
  return {
    runs: runsOf(connection, options.reconnects ?? RECONNECTS),
    sessions: sessionsOf(connection),
    approvals: {
      async list() {
        const { approvals } = await connection.json<{ approvals: ApprovalView[] }>('/approvals')
        return approvals
      },
      async answer({ run, request }, body) {
        await connection.open(`/approvals/${part(run)}/${part(request)}`, { method: 'POST', body })
      },
    },
    agents: {
      list: async () => (await connection.json<{ agents: AgentView[] }>('/agents')).agents,
      get: (name) => connection.json(`/agents/${part(name)}`),
    },
    evaluations: {
      list: () => connection.json('/evaluations'),
      get: (id) => connection.json(`/evaluations/${part(id)}`),
      start: (dataset) => connection.json('/evaluations', { method: 'POST', body: { dataset } }),
      changes: (id, since) =>
        connection.json(`/evaluations/${part(id)}/changes`, { query: { since } }),
    },
    tune: {
      list: async () => (await connection.json<TuneSetList>('/tune')).sets,
      get: (name) => connection.json(`/tune/${part(name)}`),
    },
    intent: {
      get: (agent) => connection.json(`/agents/${part(agent)}/intent`),
      set: (agent, body) =>
        connection.json(`/agents/${part(agent)}/intent`, { method: 'PUT', body }),
    },
    costs: (query = {}) => connection.json('/costs', { query }),
  }
}

function sessionsOf(connection: Connection): SessionsClient {
  const path = (agent: string, session: string): string =>
    `/sessions/${part(agent)}/${part(session)}`
  return {
    async list(query = {}) {
      const answer = await connection.json<{ sessions: SessionView[] }>('/sessions', { query })
      return answer.sessions
    },
    get: (agent, session, query = {}) => connection.json(path(agent, session), { query }),
    async delete(agent, session, query = {}) {
      await connection.open(path(agent, session), { method: 'DELETE', query })
    },
  }
}

const part = encodeURIComponent
