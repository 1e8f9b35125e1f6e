import { serve } from '@hono/node-server'
import { type Redactor, redactText } from 'echelon/internal/redaction'
import { EchelonError, type Engine, systemClock, systemIds } from 'echelon/runtime'
import { a2a } from '../a2a/a2a-protocol.ts'
import { CostBook } from '../access/cost-book.ts'
import type { PriceOf } from '../access/savings.ts'
import { checkReach, isLoopback } from '../access/own-machine.ts'
import { LOCAL, type Principal } from '../access/principal.ts'
import { RequestRate } from '../access/request-rate.ts'
import { agUi } from '../ag-ui/ag-ui.ts'
import { aiSdkUi } from '../ai-sdk-ui/ai-sdk-ui.ts'
import { Spending } from '../access/spending.ts'
import { type ServerToken, tokenUsers } from '../access/tokens.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { agentOnEngine } from '../engine/agent-on-engine.ts'
import { SharedRecords } from '../access/shared-record.ts'
import { createApp } from '../http/app.ts'
import { faultLine, logLine } from '../http/log-line.ts'
import { type Figure, Metrics } from '../http/metrics.ts'
import type { App, Protocol, ServerContext } from '../http/server-context.ts'
import { mcp } from '../mcp/mcp.ts'
import { openAiApi } from '../openai/openai-api.ts'
import { type DatasetRunner, Evaluations } from '../evaluations/evaluations.ts'
import { restApi } from '../rest/rest-api.ts'
import type { TuneSets } from '../rest/tune-routes.ts'
import { studioPage } from '../studio/studio-page.ts'
import { RunHub } from '../runs/run-hub.ts'
import type { ServerStore } from '../runs/server-store.ts'
import { listPrice } from './list-price.ts'
import { keepRuns, type RunKeeper } from './run-keeper.ts'

export interface ServerOptions {
  readonly agents: readonly ServedAgent[]
  readonly store: ServerStore
  /** Default: all that come along. */
  readonly protocols?: readonly Protocol[]
  /** Users by their bearer tokens. Without any, everybody on this machine is the operator. */
  readonly tokens?: readonly ServerToken[]
  /**
   * Recognizes users in another way than by `tokens`.
   * @throws HttpProblem 401 or 403 for everybody else
   */
  readonly authenticate?: (request: Request) => Principal | Promise<Principal>
  /** Runs that work at the same time. Default 256. */
  readonly runsAtOnce?: number
  /**
   * Models that forks of every user may use besides those of their agent, as `provider/model`. Default none.
   * Operators choose freely.
   */
  readonly forkModels?: readonly string[]
  /** Bytes of a request's body. Default 4 MB. */
  readonly maxBodyBytes?: number
  /** Names under which clients reach the server besides those of this machine, such as behind a proxy. */
  readonly hosts?: readonly string[]
  /** Origins of web pages that may call the server from elsewhere (CORS). Default none. */
  readonly origins?: readonly string[]
  /** Folder of the built page of the Studio, which is then at `/studio/`. Default: no page. */
  readonly studio?: string
  /**
   * Performs the runs, such as on other machines; this process then only orders and follows them. Runs that
   * need this machine, or cannot be resumed, are performed here in any case.
   */
  readonly engine?: Engine
  /** Whether it resumes the runs of the store that are due here. Default true; a worker has its engine for it. */
  readonly resumesRuns?: boolean
  /** Why it takes no runs at the moment, for `/readyz`; `undefined` while it does. */
  readonly problem?: () => string | undefined
  /** More figures for `/metrics`. */
  readonly figures?: readonly Figure[]
  /** Data sets that operators may run; see `evaluationsIn`. */
  readonly datasets?: DatasetRunner
  /** Recorded answers, whose frontier of cost against accuracy operators see. */
  readonly tuneSets?: TuneSets
  /** The price of a call, to tell what asking smaller models first saved. Default: the list prices of vendors. */
  readonly priceOf?: PriceOf
  /** Hides secrets and personal data from those who look into a run. Default: as in events. */
  readonly redact?: Redactor
  /** Receives lines of the log, redacted. Default: none. */
  readonly log?: (line: string) => void
}

export interface ListenOptions {
  /** Default 127.0.0.1. Another machine reaches the server only if there are tokens. */
  readonly host?: string
  /** Default 3000; 0 takes a free one. */
  readonly port?: number
}

/** A server of agents, before and while it listens. */
export interface AgentServer {
  readonly app: App
  readonly hub: RunHub
  /** The services that its protocols receive. */
  readonly context: ServerContext
  /**
   * @returns the address
   * @throws EchelonError INVALID_CONFIG for an address that other machines reach, unless a token is set
   */
  listen(options?: ListenOptions): Promise<string>
  /** Lets go of runs, which the next start resumes, and closes all connections. */
  stop(): Promise<void>
}

const PROTOCOLS: readonly Protocol[] = [restApi, openAiApi, aiSdkUi, a2a(), agUi(), mcp]
const RUNS_AT_ONCE = 256
const MAX_BODY_BYTES = 4 * 1024 * 1024
const STOP_WITHIN_MS = 10_000

/** Limits on the time to send a request, and on the size of its headers. */
const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}

/**
 * Creates a server of agents.
 * @throws EchelonError INVALID_CONFIG
 */
export function createServer(options: ServerOptions): AgentServer {
  const { store, origins = [], hosts = [], studio } = options
  const page = studio === undefined ? [] : [studioPage(studio)]
  const protocols = [...page, ...(options.protocols ?? PROTOCOLS)]
  const log = (line: string): void => options.log?.(logLine(line))
  const context = contextOf(options, log)
  const { hub, clock, costs, evaluations } = context
  let isLocal = true
  const app = createApp({
    protocols,
    context,
    authenticate: authenticationOf(options),
    rate: new RequestRate(clock),
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    site: () => ({ isLocal, hosts, origins }),
  })
  let keeper: RunKeeper | undefined
  let listening: ReturnType<typeof serve> | undefined
  return {
    app,
    hub,
    context,
    async listen({ host = '127.0.0.1', port = 3000 } = {}) {
      checkReach(host, hasUsers(options))
      checkPort(port)
      isLocal = isLoopback(host)
      const address = await new Promise<string>((resolve, reject) => {
        listening = serve(
          { fetch: app.fetch, hostname: host, port, serverOptions: HTTP_LIMITS },
          (info) => resolve(`http://${host.includes(':') ? `[${host}]` : host}:${info.port}`),
        )
        listening.once('error', (error) => reject(listenFailure(error, host, port)))
      })
      if (options.resumesRuns !== false) {
        keeper ??= keepRuns({
          hub,
          agents: options.agents,
          store,
          clock,
          onProblem: (problem, run) => log(`run ${run ?? 'unknown'}: ${faultLine(problem)}`),
        })
      }
      return address
    },
    async stop() {
      await Promise.all([keeper?.stop(), evaluations?.stop(), hub.stop(STOP_WITHIN_MS)])
      await costs.flush()
      await store.events.flush()
      await new Promise<void>((resolve) => {
        if (listening === undefined) return resolve()
        listening.close(() => resolve())
        if ('closeAllConnections' in listening) listening.closeAllConnections()
      })
    },
  }
}

function contextOf(options: ServerOptions, log: (line: string) => void): ServerContext {
  const { store, engine } = options
  const onFault = (error: unknown, run: string): void => log(`run ${run}: ${faultLine(error)}`)
  const agents = placed(options, onFault)
  const records = new SharedRecords({ memories: store.memories, clock: systemClock })
  const spending = new Spending({ records, clock: systemClock })
  const costs = new CostBook({
    records,
    clock: systemClock,
    ids: systemIds,
    priceOf: options.priceOf ?? listPrice,
    onFault: (error) => log(`costs: ${faultLine(error)}`),
  })
  const evaluations = evaluationsOf(options, { records, costs }, log)
  const hub = new RunHub({
    agents,
    store,
    clock: systemClock,
    ids: systemIds,
    spending,
    runsAtOnce: options.runsAtOnce ?? RUNS_AT_ONCE,
    forkModels: options.forkModels,
    engine,
    onFault,
    onEnd(run, end) {
      // The process that performed it counts it.
      if (run.agent.isElsewhere === true) return
      metrics.ended(run, end)
      if (end === undefined) return
      const { name: agent, models } = run.agent
      costs.add({ user: run.owner ?? '', agent, models, end })
    },
  })
  const metrics = new Metrics({
    working: () => hub.working,
    streams: () => hub.followers,
    requests: () => waitingRequests(store),
    more: options.figures ?? [],
  })
  return {
    hub,
    store,
    spending,
    costs,
    metrics,
    evaluations,
    tuneSets: options.tuneSets,
    clock: systemClock,
    ids: systemIds,
    problem: options.problem ?? (() => undefined),
    version: '0.1.0',
    redact: options.redact ?? redactText,
    baseUrl: (request) => new URL(request.url).origin,
    log,
  }
}

/** Absent without data sets. */
function evaluationsOf(
  { datasets: runner }: ServerOptions,
  { records, costs }: { readonly records: SharedRecords; readonly costs: CostBook },
  log: (line: string) => void,
): Evaluations | undefined {
  return (
    runner &&
    new Evaluations({
      runner,
      records,
      now: () => systemClock.now(),
      nextId: () => systemIds.next(),
      book: (booking) => costs.add(booking),
      onFault: (error) => log(`evaluation: ${faultLine(error)}`),
    })
  )
}

/** The agents, with their runs on the engine if there is one. */
function placed(
  { agents, store, engine }: ServerOptions,
  onFault: (error: unknown, run: string) => void,
): readonly ServedAgent[] {
  if (engine === undefined) return agents
  return agents.map((agent) => agentOnEngine(agent, { engine, store, clock: systemClock, onFault }))
}

async function waitingRequests({ runs }: ServerStore): Promise<number> {
  const waiting = await runs.list({ status: ['running', 'waiting'], limit: MOST_COUNTED })
  return waiting.reduce((sum, { requests }) => sum + requests.length, 0)
}
const MOST_COUNTED = 1000

const hasUsers = ({ tokens = [], authenticate }: ServerOptions): boolean =>
  tokens.length > 0 || authenticate !== undefined

function authenticationOf({
  tokens = [],
  authenticate,
}: ServerOptions): (request: Request) => Principal | Promise<Principal> {
  if (authenticate !== undefined) return authenticate
  return tokens.length > 0 ? tokenUsers(tokens) : () => LOCAL
}

/** For such a port Node throws its own error instead of failing to listen. */
function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= HIGHEST_PORT) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `the server cannot listen on port ${port}; name one from 1 to ${HIGHEST_PORT}, or 0 for a free one`,
  )
}
const HIGHEST_PORT = 65_535

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): EchelonError {
  const why =
    error.code === 'EADDRINUSE'
      ? 'another program listens there; name another port, or 0 for a free one'
      : error.code === 'EACCES'
        ? 'that port needs more rights; name one from 1024 on'
        : `the system says ${error.code ?? 'no'}`
  return new EchelonError('INVALID_CONFIG', `the server cannot listen on ${host}:${port}: ${why}`)
}
