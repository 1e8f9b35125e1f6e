import { EchelonError } from 'echelon/runtime'
import { type Principal, storedSession } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import type { ServerContext } from '../http/server-context.ts'
import type { LiveRun } from '../runs/live-run.ts'

/** A chat of a user with an agent. */
export interface Chat {
  readonly principal: Principal
  readonly agent: ServedAgent
  readonly id: string
}

const MOST_CHATS = 10_000

/** The runs of chats: the one that is live in this process, or was when the last one ended. */
export class Chats {
  readonly #context: ServerContext
  readonly #runs = new Map<string, string>()

  constructor(context: ServerContext) {
    this.#context = context
  }

  add(chat: Chat, run: LiveRun): void {
    const key = keyOf(chat)
    this.#runs.delete(key)
    this.#runs.set(key, run.id)
    const [oldest] = this.#runs.keys()
    if (this.#runs.size > MOST_CHATS && oldest !== undefined) this.#runs.delete(oldest)
  }

  /** The run of a chat that works or waits; one that an earlier process left is resumed. */
  async live(chat: Chat): Promise<LiveRun | undefined> {
    const { hub } = this.#context
    const known = this.#runs.get(keyOf(chat))
    const live = known === undefined ? undefined : hub.live(known, chat.principal)
    if (live !== undefined && !live.log.isOver) return live
    if (!chat.agent.accepts.sessions || chat.agent.resume === undefined) return undefined
    return this.#resumed(chat)
  }

  async #resumed(chat: Chat): Promise<LiveRun | undefined> {
    const { hub, store } = this.#context
    const [newest] = await store.runs.list({ session: keyOf(chat), limit: 1 })
    if (newest?.status !== 'waiting' && newest?.status !== 'interrupted') return undefined
    try {
      const run = await hub.resume(newest)
      this.add(chat, run)
      return run
    } catch (error) {
      // Another process works on it, or its agent is no longer served.
      if (error instanceof EchelonError) return undefined
      throw error
    }
  }
}

/** The stored id of its conversation, which no other user, agent or chat has. */
export const keyOf = ({ principal, agent, id }: Chat): string =>
  storedSession(principal, agent.name, id)
