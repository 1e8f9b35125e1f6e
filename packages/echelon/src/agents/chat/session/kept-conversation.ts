import { EchelonError } from '../../../core/value/error.ts'
import type { OpenRequest, RunStatus, RunSummary } from '../../../core/store/run-store.ts'
import type { StoredSession } from '../../../core/store/session-store.ts'
import type { AgentStore } from '../agent-options.ts'

/** A turn that was begun and has no end: no other begins before it. */
export interface UnfinishedTurn {
  readonly run: string
  readonly status: RunStatus
  /** What it asked and nobody has answered. */
  readonly requests: readonly OpenRequest[]
}

const UNFINISHED: readonly RunStatus[] = ['running', 'waiting', 'interrupted']

/** Turns of one moment are in no order: the newest few are known. */
const MOST_KNOWN = 16

/** What the store has of a conversation, as far as it is known here. */
export class KeptConversation {
  readonly store: AgentStore
  readonly #id: string
  #from: number
  /** Runs that what is known here was made of, the newest last. */
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
    // Before what was said: a turn that ends in between counts as one that came later.
    const [newest] = await store.runs.list({ session: id, limit: 1 })
    const stored = await store.sessions.load(id)
    const kept = new KeptConversation(store, id, { from: stored?.messages.length ?? 0, newest })
    await kept.lookAgain()
    return { kept, stored }
  }

  /** How many messages are on record; some of them may have been undone here. */
  get from(): number {
    return this.#from
  }

  get unfinished(): UnfinishedTurn | undefined {
    return this.#unfinished
  }

  /** @throws EchelonError RUN_BUSY for a turn without an end; SESSION_BUSY where others went on with it */
  async ready(): Promise<void> {
    await this.lookAgain()
    this.assertFinished()
    const [newest] = await this.store.runs.list({ session: this.#id, limit: 1 })
    if (newest === undefined || this.#known.includes(newest.id)) return
    throw new EchelonError(
      'SESSION_BUSY',
      `somebody else went on with the session ${this.#id} since it was opened; open it again with openSession`,
      { details: { session: this.#id, run: newest.id } },
    )
  }

  /** @throws EchelonError RUN_BUSY */
  assertFinished(): void {
    if (this.#unfinished === undefined) return
    const { run, status, requests } = this.#unfinished
    throw new EchelonError(
      'RUN_BUSY',
      `a turn of the session ${this.#id} has no end yet: ${howItStands(status)}, the run ${run}; ${whatToDo(status)}`,
      { details: { session: this.#id, run, requests: requests.map(({ id }) => id) } },
    )
  }

  /** A turn of it has ended, and is on record. */
  ended(run: string, length: number): void {
    this.#known = [...this.#known, run].slice(-MOST_KNOWN)
    this.#from = length
    this.#unfinished = undefined
  }

  /** Finds out whether a turn was left without an end. */
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

const whatToDo = (status: RunStatus): string =>
  status === 'running'
    ? 'await its end, and open the session again'
    : 'go on with it first: resume, or cancel it'
