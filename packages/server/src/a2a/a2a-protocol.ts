import { A2A_PROTOCOL_VERSION, A2A_VERSION_HEADER, AgentCard } from '@a2a-js/sdk'
import { ServerCallContext } from '@a2a-js/sdk/server'
import { LOCAL } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { faultLine } from '../http/log-line.ts'
import { HttpProblem, notFound } from '../http/problem.ts'
import type { App, Protocol, ServerContext } from '../http/server-context.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import { type A2aCall, type A2aContext, versionIn } from './a2a-call.ts'
import { a2aRefusal } from './a2a-errors.ts'
import { agentCard, legacyCard } from './agent-card.ts'
import { AgentTasks } from './agent-tasks.ts'
import type { Reach } from './push-notices.ts'
import { jsonRpc } from './json-rpc-route.ts'
import { rest } from './rest-routes.ts'
import { TaskDesk } from './task-desk.ts'
import { fileResponse } from './task-files.ts'
import { TaskFollower } from './task-follower.ts'
import { TaskRecords } from './task-record.ts'

export interface A2aOptions {
  /**
   * Whether notifications may go to, and files come from, this machine and private networks. Default false,
   * since a client could make the server call what only the server reaches.
   */
  readonly allowPrivate?: boolean
}

const CARD = '.well-known/agent-card.json'
const MOST_FILE_BYTES = 4 * 1024 * 1024

/**
 * A2A: 1.0 over JSON-RPC and HTTP+JSON, 0.3 over JSON-RPC. Each agent is at `/a2a/NAME`, with its card at
 * `/a2a/NAME/.well-known/agent-card.json`. The first agent's card is also that of the server.
 */
export function a2a({ allowPrivate = false }: A2aOptions = {}): Protocol {
  return {
    name: 'a2a',
    open: [`/${CARD}`, `/a2a/*/${CARD}`],
    refusal: a2aRefusal,
    mount(app, context) {
      new A2aServer(context, allowPrivate ? { mayReach: () => true } : {}).mount(app)
    },
  }
}

class A2aServer {
  readonly #context: ServerContext
  readonly #reach: Reach
  readonly #records: TaskRecords
  readonly #follower: TaskFollower

  constructor(context: ServerContext, reach: Reach) {
    const { hub, store, ids, clock, log } = context
    this.#context = context
    this.#reach = reach
    this.#records = new TaskRecords({ memories: store.memories, ids })
    this.#follower = new TaskFollower({
      hub,
      records: this.#records,
      now: () => clock.now(),
      reach,
      log,
      fileUrl,
    })
  }

  mount(app: App): void {
    const { hub } = this.#context
    app.get(`/${CARD}`, (c) => {
      const [first] = hub.agentsOf(LOCAL)
      if (first === undefined) throw notFound('agent')
      return this.#card(c, first)
    })
    app.get(`/a2a/:agent/${CARD}`, (c) => this.#card(c, hub.agent(c.req.param('agent'), LOCAL)))
    app.get('/a2a/:agent/files/:run/:name', (c) => {
      const principal = c.get('principal')
      hub.agent(c.req.param('agent'), principal)
      const { run, name } = c.req.param()
      return fileResponse(this.#context, { run, name }, principal)
    })
    app.post('/a2a/:agent', (c) => {
      const agent = hub.agent(c.req.param('agent'), c.get('principal'))
      return jsonRpc(c, (version) => this.#call(c, agent, version))
    })
    app.all('/a2a/:agent/*', async (c, next) => {
      const agent = hub.agent(c.req.param('agent'), c.get('principal'))
      const [, , , ...path] = new URL(c.req.url).pathname.split('/')
      const response = await rest(c, path.map(decoded), (version) => this.#call(c, agent, version))
      return response ?? next()
    })
  }

  #call(c: A2aContext, agent: ServedAgent, version: string): A2aCall {
    const { hub, clock, ids, log } = this.#context
    const base = this.#baseOf(c)
    const leaving = new AbortController()
    let hadFault = false
    const desk = new TaskDesk({
      hub,
      clock,
      ids,
      records: this.#records,
      agent,
      principal: c.get('principal'),
      fileUrl: (run, name) => fileUrl(base, agent.name, run, name),
      fetchFile: (url) => fetchFile(url, this.#reach),
      reach: this.#reach,
      follow: (task, run) => this.#follower.followNew(task, run, base),
    })
    const tasks = new AgentTasks({
      desk,
      card: this.#cardOf(base, agent),
      extendedCard: this.#cardOf(base, agent, true),
      version,
      signal: AbortSignal.any([c.req.raw.signal, leaving.signal]),
      onFault: (error) => {
        hadFault = true
        log(`a2a ${agent.name}: ${faultLine(error)}`)
      },
    })
    const context = new ServerCallContext({ requestedVersion: version })
    return { tasks, context, leave: () => leaving.abort(), hadFault: () => hadFault }
  }

  #card(c: A2aContext, agent: ServedAgent): Response {
    const card = this.#cardOf(this.#baseOf(c), agent)
    c.header('vary', A2A_VERSION_HEADER)
    c.header('cache-control', 'no-cache')
    return c.json(versionIn(c) === A2A_PROTOCOL_VERSION ? AgentCard.toJSON(card) : legacyCard(card))
  }

  #cardOf(base: string, agent: ServedAgent, isExtended = false): AgentCard {
    const { version } = this.#context
    return agentCard(agent, { url: `${base}/a2a/${agent.name}`, version, isExtended })
  }

  #baseOf(c: A2aContext): string {
    return this.#context.baseUrl(c.req.raw)
  }
}

const fileUrl = (base: string, agent: string, run: string, name: string): string =>
  `${base}/a2a/${agent}/files/${encodeURIComponent(run)}/${encodeURIComponent(name)}`

async function fetchFile(
  url: string,
  reach: Reach,
): Promise<{ readonly mediaType: string; readonly data: string }> {
  const { status, mediaType, body } = await guardedFetch(url, {
    maxBytes: MOST_FILE_BYTES,
    ...reach,
  })
  if (status !== 200) {
    throw new HttpProblem(
      400,
      'address_failed',
      `a file of the message could not be fetched: ${status}`,
    )
  }
  const [type = ''] = (mediaType ?? '').split(';', 1)
  return {
    mediaType: type.trim() || 'application/octet-stream',
    data: Buffer.from(body).toString('base64'),
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
