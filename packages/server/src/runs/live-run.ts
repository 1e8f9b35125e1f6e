import { type Json, EchelonError, type RunEvent } from 'echelon/runtime'
import { clientCallIn, type ClientResult } from '../agents/client-tools.ts'
import type { ServedAgent, ServedRun, TurnEnd } from '../agents/served-agent.ts'
import { RunLog } from './run-log.ts'

export interface LiveRunParts {
  readonly agent: ServedAgent
  readonly run: ServedRun
  /** The owner; `undefined` for a run that was started elsewhere. */
  readonly owner: string | undefined
  /** The stored id of its conversation. */
  readonly session: string | null
  /** Names of the tools that the client executes. */
  readonly clientTools: readonly string[]
  /** The number of its last stored event, if another process began it. */
  readonly stored?: number
  readonly now: () => number
  /** Receives each event, for example to store it. */
  readonly hear: (event: RunEvent, run: string) => void
}

/** A run in this process: its events for all who follow it, and its end. */
export class LiveRun {
  readonly id: string
  readonly agent: ServedAgent
  readonly owner: string | undefined
  readonly session: string | null
  readonly clientTools: readonly string[]
  readonly log: RunLog
  /** Resolves when it is over here; `undefined` if it was suspended. Rejects with faults of the program. */
  readonly outcome: Promise<TurnEnd | undefined>
  readonly #run: ServedRun
  /** Results of client tools that came before their request opened. */
  readonly #results = new Map<number, ClientResult>()
  #end: TurnEnd | undefined
  #madeFiles: boolean
  #isAsleep = false
  #state: 'working' | 'ended' | 'suspended' | 'failed' = 'working'

  constructor(parts: LiveRunParts) {
    const { agent, run, owner, session, clientTools, stored } = parts
    this.id = run.id
    this.agent = agent
    this.owner = owner
    this.session = session
    this.clientTools = clientTools
    this.log = new RunLog(stored)
    this.#run = run
    this.#madeFiles = stored !== undefined && stored > 0
    // It may reject while its last events are still read.
    run.outcome.catch(() => undefined)
    this.outcome = this.#follow(parts)
    this.outcome.catch(() => undefined)
  }

  /** How it ended; `undefined` while it works, and after it was suspended. */
  get end(): TurnEnd | undefined {
    return this.#end
  }

  /** `suspended`: it left this process and waits in the store. `failed`: by a fault of the program. */
  get state(): 'working' | 'ended' | 'suspended' | 'failed' {
    return this.#state
  }

  /** Whether it is sleeping, according to its events. */
  get isAsleep(): boolean {
    return this.#isAsleep
  }

  /** Whether its tools may have made files; an earlier process may have called some. */
  get madeFiles(): boolean {
    return this.#madeFiles
  }

  /** When the oldest request opened that is still open; `undefined` if it does not wait for a person. */
  get waitsSince(): number | undefined {
    return this.#open.size === 0 ? undefined : this.#waitsSince
  }

  /** Ids of the requests that wait for a reply. */
  get openRequests(): readonly string[] {
    return [...this.#open.keys()]
  }

  cancel(): void {
    this.#run.cancel()
  }

  /** @throws EchelonError UNKNOWN_REQUEST, INVALID_INPUT */
  respond(request: string, reply: Json): void {
    this.#run.respond(request, reply)
  }

  /** Gives the results of client tools, by the place of the call in its step. */
  giveResults(request: string, results: ReadonlyMap<number, ClientResult>): void {
    for (const [index, result] of results) this.#results.set(index, result)
    const open = this.#openClientCall(request)
    if (open !== undefined) this.#answerFromResults(request, open)
  }

  /** Whether it waits for an answer to an open request. */
  waitsFor(request: string): boolean {
    const index = this.#openClientCall(request)
    return this.#open.has(request) && (index === undefined || !this.#results.has(index))
  }

  /** Whether it waits for a person or a client. */
  get isWaiting(): boolean {
    return [...this.#open.keys()].some((request) => this.waitsFor(request))
  }

  /**
   * Suspends it as soon as nothing is lost. One that waits for a client's tool is canceled, since no other
   * process knows that tool.
   */
  suspend(): void {
    const waitsForClient = [...this.#open.keys()].some(
      (one) => this.#openClientCall(one) !== undefined,
    )
    if (waitsForClient) this.#run.cancel()
    else this.#run.suspend?.()
  }

  readonly #open = new Map<string, Json>()
  #waitsSince: number | undefined

  async #follow({ run, now, hear }: LiveRunParts): Promise<TurnEnd | undefined> {
    try {
      for await (const event of run) {
        this.#isAsleep = event.type === 'step-start' && event.effect === 'sleep'
        this.log.add(event, now())
        hear(event, run.id)
        this.#watchRequests(event, now)
        if (event.type === 'tool-end') this.#madeFiles = true
      }
      this.#end = await run.outcome
      this.#state = 'ended'
      return this.#end
    } catch (error) {
      const isSuspended = error instanceof EchelonError && error.code === 'RUN_SUSPENDED'
      this.#state = isSuspended ? 'suspended' : 'failed'
      if (isSuspended) return undefined
      throw error
    } finally {
      this.log.end()
    }
  }

  #watchRequests(event: RunEvent, now: () => number): void {
    if (event.type === 'request-close') this.#open.delete(event.request)
    if (event.type !== 'request-open') return
    if (this.#open.size === 0) this.#waitsSince = now()
    this.#open.set(event.request, event.about)
    const index = this.#openClientCall(event.request)
    // Not now: the run is still notifying its listeners.
    if (index !== undefined) queueMicrotask(() => this.#answerFromResults(event.request, index))
  }

  #openClientCall(request: string): number | undefined {
    const about = this.#open.get(request)
    const call = about === undefined ? undefined : clientCallIn(about)
    return call !== undefined && this.clientTools.includes(call.tool) ? call.index : undefined
  }

  #answerFromResults(request: string, index: number): void {
    const result = this.#results.get(index)
    if (result === undefined || !this.#open.has(request)) return
    this.#results.delete(index)
    this.#run.respond(request, { ...result })
  }
}
