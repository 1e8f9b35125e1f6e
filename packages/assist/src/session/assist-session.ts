import { EchelonError } from 'echelon/internal/value'
import type { RunStatus, SessionChange, Store } from 'echelon/internal/store'
import type { Message } from 'echelon/runtime'
import { NOTHING_SAID, Thread } from 'echelon/internal/message'
import type { KeptTurn, SessionView } from 'echelon/internal/runtime'

/** Stores conversations and their turns. */
export type AssistStore = Pick<Store, 'runs' | 'sessions'>

/** A turn without an end: it must be resumed before another starts. */
export interface UnfinishedAssistTurn {
  readonly run: string
  readonly status: RunStatus
}

const UNFINISHED: readonly RunStatus[] = ['running', 'waiting', 'interrupted']

/** Turns of the same time have no order, so the newest few are remembered. */
const MOST_KNOWN = 16

interface Origin {
  readonly agent: string
  readonly store?: AssistStore
  readonly isDisposable: boolean
}

/**
 * A conversation: the executor's memory, and no other layer's. Unless it is to be kept, it is deleted when it
 * ends. One turn at a time.
 */
export class AssistSession implements AsyncDisposable {
  readonly id: string
  readonly isDisposable: boolean
  readonly #agent: string
  readonly #store: AssistStore | undefined
  #conversation: Thread = NOTHING_SAID
  #known: readonly string[] = []
  #unfinished: UnfinishedAssistTurn | undefined
  #isBusy = false
  #isOver = false

  /** Opened by `Assistant.openSession`. */
  constructor(id: string, { agent, store, isDisposable }: Origin) {
    this.id = id
    this.isDisposable = isDisposable
    this.#agent = agent
    this.#store = store
  }

  /**
   * Loads a conversation from the store, or creates one under that id.
   * @throws EchelonError INVALID_INPUT for the conversation of another agent
   */
  static async open(
    id: string,
    agent: string,
    { store, keep }: { readonly store: AssistStore | undefined; readonly keep: boolean },
  ): Promise<AssistSession> {
    if (store === undefined) return new AssistSession(id, { agent, isDisposable: !keep })
    // Read before the messages, so that a turn that ends in between counts as later.
    const [newest] = await store.runs.list({ session: id, limit: 1 })
    const stored = await store.sessions.load(id)
    if (stored !== undefined && stored.agent !== agent) throw otherAgent(id, stored.agent, agent)
    const isDisposable = !keep || stored?.isDisposable === true
    // Marked again in each process, or it would count as abandoned when the first one ends.
    if (isDisposable) await store.sessions.markDisposable(id)
    const session = new AssistSession(id, { agent, store, isDisposable })
    session.#conversation = Thread.of(stored?.messages ?? [])
    session.#known = newest === undefined ? [] : [newest.id]
    await session.#lookForUnfinished()
    return session
  }

  /** The conversation up to the last completed turn. */
  get messages(): readonly Message[] {
    return [...this.#conversation.toArray()]
  }

  /** An unfinished turn on record; `Assistant.resume` resumes it. */
  get unfinished(): UnfinishedAssistTurn | undefined {
    return this.#unfinished
  }

  /** @throws EchelonError SESSION_BUSY during a turn; INVALID_INPUT if it has ended */
  assertFree(): void {
    if (this.#isOver) {
      throw new EchelonError('INVALID_INPUT', `the session ${this.id} is over; open another one`)
    }
    if (!this.#isBusy) return
    throw new EchelonError(
      'SESSION_BUSY',
      `a turn of the session ${this.id} is under way; await its result`,
      { details: { session: this.id } },
    )
  }

  /**
   * The conversation as a turn sees it.
   * @param said reads the whole conversation from the turn's last state
   */
  view(said: (state: unknown) => readonly Message[]): SessionView {
    const history = this.#conversation
    const store = this.#store
    return {
      id: this.id,
      history,
      ...(store && {
        kept: history.length,
        ready: () => this.#assertUpToDate(store),
        keep: (state: unknown, end: KeptTurn) => this.#changeOf(said(state), end),
      }),
    }
  }

  /** Adds the messages of a turn once it has ended; an unfinished turn changes nothing. */
  async follow(run: string, ended: Promise<readonly Message[]>): Promise<void> {
    this.#isBusy = true
    try {
      this.#conversation = Thread.of(await ended)
      this.#known = [...this.#known, run].slice(-MOST_KNOWN)
      this.#unfinished = undefined
    } catch {
      // The run reports the error to its caller.
      await this.#lookForUnfinished().catch(nobodyWaits)
    } finally {
      this.#isBusy = false
    }
  }

  /**
   * Ends the conversation. A disposable one is deleted here and in its store: its messages, turns and cached data.
   * Plans and evaluations stay, and hold none of it.
   * @throws EchelonError SESSION_BUSY during a turn, also in another process
   */
  async end(): Promise<void> {
    if (this.#isOver) return
    this.assertFree()
    await this.#store?.sessions.end(this.id)
    this.#isOver = true
    if (this.isDisposable) this.#conversation = NOTHING_SAID
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end()
  }

  #changeOf(said: readonly Message[], { at, states }: KeptTurn): SessionChange {
    const from = this.#conversation.length
    return {
      id: this.id,
      agent: this.#agent,
      from,
      keep: from,
      messages: said.slice(from),
      states,
      continues: null,
      at,
    }
  }

  async #assertUpToDate(store: AssistStore): Promise<void> {
    await this.#lookForUnfinished()
    if (this.#unfinished !== undefined) throw hasUnfinished(this.id, this.#unfinished)
    const [newest] = await store.runs.list({ session: this.id, limit: 1 })
    if (newest === undefined || this.#known.includes(newest.id)) return
    throw new EchelonError(
      'SESSION_BUSY',
      `another process continued the session ${this.id} since it was opened; open it again`,
      { details: { session: this.id } },
    )
  }

  async #lookForUnfinished(): Promise<void> {
    const filter = { session: this.id, status: UNFINISHED, limit: 1 }
    const [left] = (await this.#store?.runs.list(filter)) ?? []
    this.#unfinished = left && { run: left.id, status: left.status }
  }
}

const nobodyWaits = (): void => undefined

const otherAgent = (session: string, holder: string, agent: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `the session ${session} is a conversation of the agent ${holder}, not of ${agent}; take another id`,
    { details: { session } },
  )

const hasUnfinished = (session: string, { run }: UnfinishedAssistTurn): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `a turn of the session ${session} has not ended: the run ${run}; continue it first: resume('${run}')`,
    { details: { session, run } },
  )
