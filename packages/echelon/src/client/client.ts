import type { Json } from '../core/value/json.ts'
import { type ClientOptions, Connection } from './connection.ts'
import { type EventsOptions, runEvents } from './run-events.ts'
import type {
  AgentView,
  ApprovalAnswer,
  ApprovalView,
  CostGroupView,
  CostReport,
  ForkRequest,
  RunEventView,
  RunFilterQuery,
  RunPage,
  RunRequest,
  RunView,
  SessionMessages,
  SessionView,
} from './wire.ts'

/** A client of an Echelon server. All methods throw `ClientError`. */
export interface Client {
  readonly runs: RunsClient
  readonly sessions: SessionsClient
  readonly approvals: ApprovalsClient
  readonly agents: AgentsClient
  /** What runs cost, by day (default), agent, model or user. */
  costs(query?: {
    readonly by?: CostGroupView
    readonly since?: string
    readonly until?: string
  }): Promise<CostReport>
}

export interface RunsClient {
  /** @param options.key the same key and request give the same run, however often it is sent */
  start(request: RunRequest, options?: { readonly key?: string }): Promise<RunView>
  get(run: string): Promise<RunView>
  list(filter?: RunFilterQuery): Promise<RunPage>
  /** The events of a run until it ends, each once, over lost connections and restarts of the server. */
  events(run: string, options?: EventsOptions): AsyncGenerator<RunEventView, RunView>
  /** Waits for the end of a run. */
  end(run: string, options?: Pick<EventsOptions, 'signal'>): Promise<RunView>
  cancel(run: string): Promise<RunView>
  answer(run: string, request: string, reply: Json): Promise<RunView>
  fork(run: string, options: ForkRequest): Promise<RunView>
  /** Downloads a file of a run. */
  artifact(run: string, name: string): Promise<Response>
}

export interface SessionsClient {
  list(filter?: {
    readonly agent?: string
    readonly limit?: number
  }): Promise<readonly SessionView[]>
  get(agent: string, session: string): Promise<SessionMessages>
  /** Deletes it with its runs and all its data. */
  delete(agent: string, session: string): Promise<void>
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
    costs: (query = {}) => connection.json('/costs', { query }),
  }
}

function runsOf(connection: Connection, reconnects: number): RunsClient {
  const events: RunsClient['events'] = (run, options) =>
    runEvents({ connection, reconnects }, run, options)
  const post = (run: string, what: string, body: unknown = {}): Promise<RunView> =>
    connection.json(`/runs/${part(run)}/${what}`, { method: 'POST', body })
  return {
    events,
    start: (body, { key } = {}) =>
      connection.json('/runs', {
        method: 'POST',
        body,
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      }),
    get: (run) => connection.json(`/runs/${part(run)}`),
    list: (query = {}) => connection.json('/runs', { query }),
    async end(run, options) {
      const following = events(run, options)
      for (;;) {
        const next = await following.next()
        if (next.done === true) return next.value
      }
    },
    cancel: (run) => post(run, 'cancel'),
    answer: (run, request, reply) => post(run, 'answer', { request, reply }),
    fork: (run, body) => post(run, 'fork', body),
    artifact: (run, name) => connection.open(`/runs/${part(run)}/artifacts/${part(name)}`),
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
    get: (agent, session) => connection.json(path(agent, session)),
    async delete(agent, session) {
      await connection.open(path(agent, session), { method: 'DELETE' })
    },
  }
}

const part = encodeURIComponent
