import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Clock, Ids } from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import { HttpProblem } from '../http/problem.ts'
import { EventMemory } from './event-memory.ts'

interface Session {
  readonly owner: string
  readonly server: McpServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
}

export interface McpEndpointOptions {
  /** A new server for one session of a user. */
  readonly serverFor: (principal: Principal) => McpServer
  readonly clock: Clock
  readonly ids: Ids
  readonly log: (line: string) => void
}

const MOST_SESSIONS = 1000
const MOST_OF_A_USER = 100
/** A session that was not used for so long is closed when room is needed. */
const IDLE_MS = 10 * 60_000
/** After which a client that lost its connection comes back. */
const RETRY_MS = 1000

/** Streamable HTTP: sessions, each of one user, who alone can use it. */
export class McpEndpoint {
  readonly #options: McpEndpointOptions
  readonly #sessions = new Map<string, Session>()

  constructor(options: McpEndpointOptions) {
    this.#options = options
  }

  /** @throws HttpProblem 429 */
  async handle(request: Request, principal: Principal): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#begin(request, principal)
    const session = this.#sessions.get(id)
    // Another's session answers like one that never was.
    if (session === undefined || session.owner !== principal.name) return notFound()
    session.usedAt = this.#options.clock.now()
    return session.transport.handleRequest(request)
  }

  /** Only `initialize` begins a session; the transport refuses the rest. */
  async #begin(request: Request, principal: Principal): Promise<Response> {
    this.#makeRoom(principal.name)
    const { serverFor, ids, clock, log } = this.#options
    const server = serverFor(principal)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => ids.next(),
      eventStore: new EventMemory(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => {
        const { name: owner } = principal
        this.#sessions.set(id, { owner, server, transport, usedAt: clock.now() })
      },
    })
    await server.connect(transport)
    // Each has one such listener, which is a property.
    Object.assign(server.server, {
      onclose: () => this.#sessions.delete(transport.sessionId ?? ''),
      onerror: (error: Error) => log(`mcp: ${error.name}`),
    })
    const response = await transport.handleRequest(request)
    if (transport.sessionId === undefined) await server.close()
    return response
  }

  #makeRoom(owner: string): void {
    const all = [...this.#sessions.values()]
    const own = all.filter((session) => session.owner === owner)
    const isFull = all.length >= MOST_SESSIONS
    if (!isFull && own.length < MOST_OF_A_USER) return
    const now = this.#options.clock.now()
    const idle = (isFull ? all : own)
      .filter(({ usedAt }) => now - usedAt > IDLE_MS)
      .sort((one, other) => one.usedAt - other.usedAt)
    const [oldest] = idle
    if (oldest === undefined) {
      throw new HttpProblem(429, 'too_many_sessions', 'too many sessions are open; end one', {
        retryAfter: 60,
      })
    }
    void oldest.server.close()
  }
}

const notFound = (): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
    { status: 404 },
  )
