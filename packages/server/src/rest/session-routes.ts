import type { MessageView, SessionView } from 'echelon/client'
import type { SessionSummary } from 'echelon/internal/store'
import { isJson, type Message } from 'echelon/runtime'
import { inPlaceOf, type Principal, sessionIn, storedSession } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { notFound } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { isoTime } from './run-view.ts'
import { ownerQuery, sessionList, sessionMessages, sessionQuery, statusView } from './schemas.ts'

const PAGE = 100

/** The conversations of a user. */
export function sessionRoutes(api: Api, { hub, store }: ServerContext): void {
  const conversations = new Conversations(hub.allAgents)
  endpoint(api, {
    method: 'get',
    path: '/sessions',
    tag: 'Sessions',
    summary: 'List your conversations, newest first; for operators, those of everybody',
    query: sessionQuery,
    body: none,
    answers: { 200: sessionList },
    async handle(c, { query }) {
      const { agent, owner: whose, limit = PAGE } = query
      const { name, isOperator = false } = c.get('principal')
      const sessions = (await store.sessions.list())
        .flatMap((session) => conversations.viewOf(session) ?? [])
        .filter(({ owner }) => isOperator || owner === name)
        .filter(({ owner }) => whose === undefined || owner === whose)
        .filter((session) => agent === undefined || session.agent === agent)
      return c.json({ sessions: sessions.slice(0, limit) })
    },
  })
  endpoint(api, {
    method: 'get',
    path: '/sessions/{agent}/{id}',
    tag: 'Sessions',
    summary: 'Read the messages of a conversation',
    query: ownerQuery,
    body: none,
    answers: { 200: sessionMessages },
    errors: [404],
    async handle(c, { query }) {
      const id = c.req.param('id') ?? ''
      const stored = idFor(c.get('principal'), c.req.param('agent') ?? '', { id, ...query })
      const session = await store.sessions.load(conversations.keptAs(stored))
      const view = session && conversations.viewOf({ ...session, length: session.messages.length })
      if (session === undefined || view === undefined) throw notFound(`conversation ${id}`)
      return c.json({ ...view, messages: session.messages.map(messageView) })
    },
  })
  endpoint(api, {
    method: 'delete',
    path: '/sessions/{agent}/{id}',
    tag: 'Sessions',
    summary: 'Delete a conversation, with its runs and all its data',
    query: ownerQuery,
    body: none,
    answers: { 200: statusView },
    errors: [404, 409],
    async handle(c, { query }) {
      const id = c.req.param('id') ?? ''
      const stored = idFor(c.get('principal'), c.req.param('agent') ?? '', { id, ...query })
      const kept = conversations.keptAs(stored)
      const isOrdered = (await hub.dropOrders(stored)) > 0
      const isThere = isOrdered || (await store.sessions.load(kept)) !== undefined
      if (!isThere) throw notFound(`conversation ${id}`)
      // Its turns have its own id, even if it is stored under another one.
      for (const one of new Set([stored, kept])) await store.sessions.remove(one)
      return c.json({ status: 'deleted' })
    },
  })
}

/**
 * Only operators reach the conversations of others.
 * @throws HttpProblem 404
 */
function idFor(
  principal: Principal,
  agent: string,
  { id, owner }: { readonly id: string; readonly owner?: string | undefined },
): string {
  const whose = inPlaceOf(principal, owner ?? principal.name)
  if (whose === undefined) throw notFound(`conversation ${id}`)
  return storedSession(whose, agent, id)
}

/** Finds conversations in the store, which some agents keep under an id of their own. */
class Conversations {
  /** Prefixes of ids, by the name of the agent. */
  readonly #prefixes: ReadonlyMap<string, string>

  constructor(agents: readonly ServedAgent[]) {
    this.#prefixes = new Map(agents.map(({ name, keptUnder = '' }) => [name, keptUnder]))
  }

  /** The id under which a conversation is kept. */
  keptAs(stored: string): string {
    return (this.#prefixes.get(sessionIn(stored)?.agent ?? '') ?? '') + stored
  }

  /** `undefined` for a conversation that no server began. */
  viewOf(session: Omit<SessionSummary, 'isDamaged'>): SessionView | undefined {
    const { id, length, beganAt, changedAt } = session
    const prefixes = new Set([...this.#prefixes.values(), ''])
    const stored = [...prefixes].flatMap((prefix) =>
      id.startsWith(prefix) ? [id.slice(prefix.length)] : [],
    )
    const whose = stored.flatMap((one) =>
      this.keptAs(one) === id ? (sessionIn(one) ?? []) : [],
    )[0]
    if (whose === undefined) return undefined
    return { ...whose, length, began_at: isoTime(beganAt), changed_at: isoTime(changedAt) }
  }
}

function messageView({ role, content }: Message): MessageView {
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { role, text, content: isJson(content) ? content : null }
}
