import { createHash } from 'node:crypto'
import type { ApprovalView } from 'echelon/client'
import { isJsonArray } from 'echelon/internal/value'
import { isJsonObject, type Json } from 'echelon/runtime'
import { sessionIn } from '../access/principal.ts'
import type { Review, ServedAgent } from '../agents/served-agent.ts'
import type { ServerStore } from './run-hub.ts'

/** A review with the agent and the conversation that it belongs to. */
export interface WaitingReview {
  readonly agent: ServedAgent
  /** The conversation, by its stored id. */
  readonly session: string
  readonly view: ApprovalView
}

/** Newest conversations that are looked at. */
const MOST_SESSIONS = 200

/**
 * What the conversations of agents let wait for a person between two turns. A list of approvals is asked for often,
 * so a conversation that did not change is not read again.
 */
export class WaitingReviews {
  readonly #store: Pick<ServerStore, 'sessions' | 'events'>
  /** By conversation, and when it was read. */
  readonly #known = new Map<string, { readonly at: number; readonly reviews: WaitingReview[] }>()

  constructor(store: Pick<ServerStore, 'sessions' | 'events'>) {
    this.#store = store
  }

  async list(agents: readonly ServedAgent[]): Promise<readonly WaitingReview[]> {
    const reviewing = agents.filter(({ reviews }) => reviews !== undefined)
    if (reviewing.length === 0) return []
    const sessions = (await this.#store.sessions.list()).slice(0, MOST_SESSIONS)
    const found: WaitingReview[] = []
    const seen = new Set<string>()
    for (const { id: kept, changedAt } of sessions) {
      const agent = reviewing.find((one) => isOf(one, kept))
      if (agent === undefined) continue
      const id = kept.slice(agent.keptUnder?.length ?? 0)
      seen.add(id)
      const known = this.#known.get(id)
      const reviews = known?.at === changedAt ? known.reviews : await this.#read(agent, id)
      this.#known.set(id, { at: changedAt, reviews })
      found.push(...reviews)
    }
    for (const id of this.#known.keys()) if (!seen.has(id)) this.#known.delete(id)
    return found
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

const isOf = ({ name, keptUnder = '' }: ServedAgent, kept: string): boolean =>
  kept.startsWith(keptUnder) && sessionIn(kept.slice(keptUnder.length))?.agent === name

const textsIn = (value: Json | undefined): readonly string[] =>
  isJsonArray(value) ? value.filter((one) => typeof one === 'string') : []

function viewOf(
  agent: ServedAgent,
  session: string,
  { id, run, tool, input, since }: Review,
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
    about: null,
    why,
    choices: ['once', 'deny'],
    hash: createHash('sha256')
      .update(JSON.stringify([id, tool, input]))
      .digest('hex'),
    asked_at: since ?? new Date(0).toISOString(),
    expires_at: null,
  }
}
