import { createHash } from 'node:crypto'
import type { ApprovalView } from 'echelon/client'
import type { SessionSummary } from 'echelon/internal/store'
import { isJsonArray } from 'echelon/internal/value'
import { isJsonObject, type Json } from 'echelon/runtime'
import { sessionIn } from '../access/principal.ts'
import type { Review, ServedAgent } from '../agents/served-agent.ts'
import type { ServerStore } from './server-store.ts'

/** A review with the agent and the conversation that it belongs to. */
export interface WaitingReview {
  readonly agent: ServedAgent
  /** The conversation, by its stored id. */
  readonly session: string
  readonly view: ApprovalView
}

/** Conversations that are read at once. */
const PAGE = 16

/**
 * Actions in conversations that wait for a person between two turns. All conversations are looked at, in
 * pages. A list of approvals is asked for often, so a conversation that did not change is not read again.
 */
export class WaitingReviews {
  readonly #store: Pick<ServerStore, 'sessions' | 'events'>
  readonly #reviewing: readonly ServedAgent[]
  /** By conversation, and when it was read. */
  readonly #known = new Map<string, { readonly at: number; readonly reviews: WaitingReview[] }>()
  /** Two lists at once would read the same conversations twice. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: Pick<ServerStore, 'sessions' | 'events'>, agents: readonly ServedAgent[]) {
    this.#store = store
    this.#reviewing = agents.filter(({ reviews }) => reviews !== undefined)
  }

  /** Those of some agents. */
  async list(agents: readonly ServedAgent[]): Promise<readonly WaitingReview[]> {
    if (this.#reviewing.length === 0) return []
    const listed = this.#last.then(() => this.#all())
    this.#last = listed.catch(() => undefined)
    const names = new Set(agents.map(({ name }) => name))
    return (await listed).filter(({ agent }) => names.has(agent.name))
  }

  async #all(): Promise<readonly WaitingReview[]> {
    const sessions = (await this.#store.sessions.list()).flatMap((session) => {
      if (session.isDamaged === true) return []
      const agent = this.#reviewing.find((one) => isOf(one, session.id))
      return agent === undefined ? [] : [{ ...session, agent }]
    })
    const found: WaitingReview[] = []
    for (let at = 0; at < sessions.length; at += PAGE) {
      const page = sessions.slice(at, at + PAGE)
      found.push(...(await Promise.all(page.map((session) => this.#of(session)))).flat())
    }
    const kept = new Set(sessions.map(({ id }) => id))
    for (const id of this.#known.keys()) if (!kept.has(id)) this.#known.delete(id)
    return found
  }

  async #of({ agent, id, changedAt }: ReviewedSession): Promise<readonly WaitingReview[]> {
    const known = this.#known.get(id)
    if (known?.at === changedAt) return known.reviews
    const reviews = await this.#read(agent, id.slice(agent.keptUnder?.length ?? 0))
    this.#known.set(id, { at: changedAt, reviews })
    return reviews
  }

  async #read(agent: ServedAgent, session: string): Promise<WaitingReview[]> {
    const waiting = (await agent.reviews?.waiting(session)) ?? []
    return Promise.all(
      waiting.map(async (review) => ({
        agent,
        session,
        view: viewOf(agent, session, review, await this.#whyOf(review)),
      })),
    )
  }

  /** The rule that asks for a person, as the agent noted it. */
  async #whyOf({ run }: Review): Promise<string> {
    await this.#store.events.flush()
    const events = await this.#store.events.read(run)
    const reasons = events.flatMap(({ event }): string[] => {
      if (event.type !== 'note') return []
      const { payload = null } = event.note.data
      const told = isJsonObject(payload) ? payload : event.note.data
      if (told['requires_escalation'] !== true) return []
      const [why, rules] = [textsIn(told['violations']), textsIn(told['rules'])]
      const named = rules.length === 0 ? '' : ` (${rules.join(', ')})`
      return why.length === 0 ? [] : [`${why.join('; ')}${named}`]
    })
    return reasons.at(-1) ?? 'a person has to approve it'
  }
}

type ReviewedSession = Pick<SessionSummary, 'id' | 'changedAt'> & { readonly agent: ServedAgent }

const isOf = ({ name, keptUnder = '' }: ServedAgent, kept: string): boolean =>
  kept.startsWith(keptUnder) && sessionIn(kept.slice(keptUnder.length))?.agent === name

const textsIn = (value: Json | undefined): readonly string[] =>
  isJsonArray(value) ? value.filter((one) => typeof one === 'string') : []

function viewOf(
  agent: ServedAgent,
  session: string,
  { id, run, tool, input, about, since }: Review,
  why: string,
): ApprovalView {
  const whose = sessionIn(session)
  return {
    run,
    request: id,
    agent: agent.name,
    session: whose?.id ?? null,
    owner: whose?.owner ?? null,
    asked_by: whose?.owner ?? null,
    tool,
    input,
    about,
    why,
    choices: ['once', 'deny'],
    hash: createHash('sha256')
      .update(JSON.stringify([id, tool, input]))
      .digest('hex'),
    asked_at: since ?? new Date(0).toISOString(),
    expires_at: null,
  }
}
