import type { Json } from '../core/value/json.ts'
import type { Connection } from './connection.ts'
import type {
  JournalPage,
  LedgerView,
  ModelCallList,
  PageQuery,
  StepList,
  StepStateView,
} from './inspection-wire.ts'
import { type EventsOptions, runEvents } from './run-events.ts'
import type {
  ForkRequest,
  RunEventView,
  RunFilterQuery,
  RunPage,
  RunRequest,
  RunView,
} from './wire.ts'

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
  /** Its steps, in pages. */
  steps(run: string, page?: PageQuery): Promise<StepList>
  /** A step of the run itself, with the states before and after it. */
  step(run: string, seq: number): Promise<StepStateView>
  /** The entries of its journal, in pages. */
  journal(run: string, page?: PageQuery): Promise<JournalPage>
  /** Prompts and answers of its model calls, in pages. */
  messages(run: string, page?: PageQuery): Promise<ModelCallList>
  /** Its budget: limits, and what is reserved, spent and left. */
  ledger(run: string): Promise<LedgerView>
  fork(run: string, options: ForkRequest): Promise<RunView>
  /** Downloads a file of a run. */
  artifact(run: string, name: string): Promise<Response>
}

export function runsOf(connection: Connection, reconnects: number): RunsClient {
  const events: RunsClient['events'] = (run, options) =>
    runEvents({ connection, reconnects }, run, options)
  const read = <View>(run: string, what: string, query: object = {}): Promise<View> =>
    connection.json(`/runs/${part(run)}/${what}`, { query })
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
    steps: (run, query = {}) => read(run, 'steps', query),
    step: (run, seq) => read(run, `steps/${seq}`),
    journal: (run, query = {}) => read(run, 'journal', query),
    messages: (run, query = {}) => read(run, 'messages', query),
    ledger: (run) => read(run, 'ledger'),
    fork: (run, body) => post(run, 'fork', body),
    artifact: (run, name) => connection.open(`/runs/${part(run)}/artifacts/${part(name)}`),
  }
}

const part = encodeURIComponent
