import { EchelonError } from '../../../core/value/error.ts'
import type { OpenRequest, RunStatus, RunSummary } from '../../../core/store/run-store.ts'
import type { StoredSession } from '../../../core/store/session-store.ts'
import type { AgentStore } from '../agent-options.ts'

/** A turn that has not ended: it must end before another begins. */
export interface UnfinishedTurn {
  readonly run: string
  readonly status: RunStatus
  /** Its open requests. */
  readonly requests: readonly OpenRequest[]
}

const UNFINISHED: readonly RunStatus[] = ['running', 'waiting', 'interrupted']

/** Turns of the same millisecond are unordered, so the newest few are remembered. */
const MOST_KNOWN = 16

/** The stored facts about a conversation. */
export class KeptConversation {
  readonly store: AgentStore
  readonly #id: string
  #from: number
  /** The runs that it contains, the newest last. */
  #known: readonly string[]
  #unfinished: UnfinishedTurn | undefined

  constructor(
    store: AgentStore,
    id: string,
    { from, newest }: { readonly from: number; readonly newest: RunSummary | undefined },
  ) {
    this.store = store
    this.#id = id
    this.#from = from
    this.#known = newest === undefined ? [] : [newest.id]
  }

  static async load(
    store: AgentStore,
    id: string,
  ): Promise<{ readonly kept: KeptConversation; readonly stored: StoredSession | undefined }> {
    // Before the messages: a turn that ends in between counts as a later one.
    const [newest] = await store.runs.list({ session: id, limit: 1 })
    const stored = await store.sessions.load(id)
    const kept = new KeptConversation(store, id, { from: stored?.messages.length ?? 0, newest })
    await kept.lookAgain()
    return { kept, stored }
  }

  /** The number of stored messages; some of them may have been undone here. */
  get from(): number {
    return this.#from
  }

  get unfinished(): UnfinishedTurn | undefined {
    return this.#unfinished
  }

  /** @throws EchelonError RUN_BUSY for an unfinished turn; SESSION_BUSY if it was continued elsewhere */
  async ready(): Promise<void> {
    await this.lookAgain()
    this.assertFinished()
    const [newest] = await this.store.runs.list({ session: this.#id, limit: 1 })
    if (newest === undefined || this.#known.includes(newest.id)) return
    throw new EchelonError(
      'SESSION_BUSY',
      `the session ${this.#id} was continued elsewhere since it was opened; open it again with openSession`,
      { details: { session: this.#id, run: newest.id } },
    )
  }

  /** @throws EchelonError RUN_BUSY */
  assertFinished(): void {
    if (this.#unfinished === undefined) return
    const { run, status, requests } = this.#unfinished
    throw new EchelonError(
      'RUN_BUSY',
      `a turn of the session ${this.#id} has not ended: ${howItStands(status)}, the run ${run}; ${advice(status)}`,
      { details: { session: this.#id, run, requests: requests.map(({ id }) => id) } },
    )
  }

  /** Records that a turn of it has ended and is stored. */
  ended(run: string, length: number): void {
    this.#known = [...this.#known, run].slice(-MOST_KNOWN)
    this.#from = length
    this.#unfinished = undefined
  }

  /** Looks for an unfinished turn. */
  async lookAgain(): Promise<void> {
    const filter = { session: this.#id, status: UNFINISHED, limit: 1 }
    const [left] = await this.store.runs.list(filter)
    this.#unfinished = left && { run: left.id, status: left.status, requests: left.requests }
  }

  end(): Promise<void> {
    return this.store.sessions.end(this.#id)
  }
}

function howItStands(status: RunStatus): string {
  if (status === 'waiting') return 'it waits'
  return status === 'running' ? 'it is under way' : 'it was interrupted'
}

const advice = (status: RunStatus): string =>
  status === 'running'
    ? 'await its end, and open the session again'
    : 'go on with it first: resume, or cancel it'
