import { serve } from '@hono/node-server'
import { systemClock, systemIds } from 'echelon/runtime'
import { LOCAL } from '../access/principal.ts'
import { Spending } from '../access/spending.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { createApp } from '../http/app.ts'
import type { App, Protocol } from '../http/server-context.ts'
import { restApi } from '../rest/rest-api.ts'
import { RunHub, type ServerStore } from '../runs/run-hub.ts'

export interface ServerOptions {
  readonly agents: readonly ServedAgent[]
  readonly store: ServerStore
  /** Default: all that come along. */
  readonly protocols?: readonly Protocol[]
  /** Runs that work at the same time. Default 256. */
  readonly runsAtOnce?: number
  /** Receives lines of the log. Default: none. */
  readonly log?: (line: string) => void
}

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 3000; 0 takes a free one. */
  readonly port?: number
}

/** A server of agents, before and while it listens. */
export interface AgentServer {
  readonly app: App
  readonly hub: RunHub
  /** @returns the address */
  listen(options?: ListenOptions): Promise<string>
  /** Lets go of runs, which the next start resumes, and closes all connections. */
  stop(): Promise<void>
}

const RUNS_AT_ONCE = 256
const MAX_BODY_BYTES = 4 * 1024 * 1024
const STOP_WITHIN_MS = 10_000

/** Creates a server of agents. */
export function createServer(options: ServerOptions): AgentServer {
  const { agents, store, protocols = [restApi], log = () => undefined } = options
  const clock = systemClock
  const hub = new RunHub({
    agents,
    store,
    clock,
    ids: systemIds,
    spending: new Spending({ memories: store.memories, clock }),
    runsAtOnce: options.runsAtOnce ?? RUNS_AT_ONCE,
    onFault: (error, run) => log(`run ${run}: ${String(error)}`),
  })
  const context = {
    hub,
    store,
    clock,
    ids: systemIds,
    version: '0.1.0',
    baseUrl: (request: Request) => new URL(request.url).origin,
    log,
  }
  const app = createApp({
    protocols,
    context,
    authenticate: () => LOCAL,
    maxBodyBytes: MAX_BODY_BYTES,
  })
  let listening: ReturnType<typeof serve> | undefined
  return {
    app,
    hub,
    listen: ({ host = '127.0.0.1', port = 3000 } = {}) =>
      new Promise((resolve, reject) => {
        listening = serve({ fetch: app.fetch, hostname: host, port }, (info) =>
          resolve(`http://${host.includes(':') ? `[${host}]` : host}:${info.port}`),
        )
        listening.once('error', reject)
      }),
    async stop() {
      await hub.stop(STOP_WITHIN_MS)
      await new Promise<void>((resolve) => {
        if (listening === undefined) return resolve()
        listening.close(() => resolve())
        if ('closeAllConnections' in listening) listening.closeAllConnections()
      })
    },
  }
}
