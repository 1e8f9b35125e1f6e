import { type Amounts, Ledger } from '../core/budget.ts'
import type { Note } from '../core/agent.ts'
import type { Json } from '../core/json.ts'
import { createRedactor, type Redactor } from '../core/redaction.ts'
import { seededRandom } from '../core/random.ts'
import type { Thread } from '../core/thread.ts'
import type { ToolOutcome } from '../core/tool.ts'
import { Audience } from './audience.ts'
import { pause } from './deadline.ts'
import { JournalWriter } from './journal-writer.ts'
import { PromptIds } from './prompt-id.ts'
import type { Services } from './services.ts'

/** What a crash left open in the step it hit. */
export interface OpenStep {
  readonly intended: ReadonlyMap<number, string>
  readonly settled: ReadonlyMap<number, ToolOutcome>
  readonly request: { readonly id: string; readonly at: number } | undefined
}

/** How many tokens a model counted in a conversation. Another model's tokens are not the same. */
interface Known {
  readonly model: string
  readonly thread: Thread
  readonly tokens: number
}

export interface TreeOptions {
  readonly runId: string
  readonly seed: number
  readonly spent?: Amounts
  /** The step that was open when the last process died. */
  readonly open?: { readonly seq: number; readonly step: OpenStep }
  readonly replies?: ReadonlyMap<string, Json>
}

/**
 * What all runs of one tree share: one ledger, one journal stream, one cancel, one audience.
 * Lives as long as the run does and holds nothing that the journal could not restore.
 */
export class Tree {
  readonly services: Services
  readonly runId: string
  readonly ledger: Ledger
  readonly journal: JournalWriter
  readonly random: () => number
  /** What hides is one for all that is told, and for the names of files. */
  readonly redact: Redactor
  readonly audience: Audience
  readonly promptIds: PromptIds
  readonly #cancel = new AbortController()
  readonly #open: TreeOptions['open']
  readonly #replies: ReadonlyMap<string, Json>
  readonly #waiting = new Map<string, (reply: Json) => void>()
  readonly #heard: string[] = []
  #canceledBy: 'user' | 'shutdown' | undefined
  #billed: Amounts
  #known: Known | undefined
  #workingSince: number | undefined

  constructor(
    services: Services,
    { runId, seed, spent = {}, open, replies = new Map() }: TreeOptions,
  ) {
    this.services = services
    this.runId = runId
    this.ledger = new Ledger(services.limits, spent)
    this.journal = new JournalWriter(services.journal, runId)
    this.random = seededRandom(seed)
    this.redact = services.redact ?? createRedactor()
    this.audience = new Audience(this.redact)
    this.promptIds = new PromptIds(this.redact)
    this.#open = open
    this.#replies = replies
    this.#billed = { ...spent }
    if (services.listener !== undefined) this.audience.listen(services.listener, services.hears)
  }

  emitNotes(seq: number, at: number, notes: readonly Note[] = []): void {
    if (!this.audience.hears('note')) return
    for (const [index, note] of notes.entries()) {
      const id = `${this.runId}:${seq}.${index}`
      this.audience.tell({ type: 'note', path: '', seq, id, at, note })
    }
  }

  // ---- cancel, and the user's voice ----

  get cancelSignal(): AbortSignal {
    return this.#cancel.signal
  }

  get canceledBy(): 'user' | 'shutdown' | undefined {
    return this.#canceledBy
  }

  cancel(by: 'user' | 'shutdown'): void {
    this.#canceledBy ??= by
    this.#cancel.abort()
  }

  hear(text: string): void {
    this.#heard.push(text)
  }

  takeHeard(): string | undefined {
    return this.#heard.shift()
  }

  /** Waits so many milliseconds, or until the run is canceled. */
  pause(ms: number): Promise<void> {
    return pause(this.services.clock, ms, this.cancelSignal)
  }

  // ---- requests and replies ----

  /** The reply, now or when `respond` brings it. */
  reply(request: string): Promise<Json> {
    const known = this.#replies.get(request)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => this.#waiting.set(request, resolve))
  }

  /** False when nobody waits for this request. */
  respond(request: string, reply: Json): boolean {
    const resolve = this.#waiting.get(request)
    if (resolve === undefined) return false
    this.#waiting.delete(request)
    const at = this.services.clock.now()
    this.journal.push({ type: 'replied', request, reply, at })
    resolve(reply)
    return true
  }

  get openRequests(): readonly string[] {
    return [...this.#waiting.keys()]
  }

  closeRequest(request: string): void {
    this.#waiting.delete(request)
  }

  /** What a crash left open in this very step. */
  leftOpen(seq: number): OpenStep | undefined {
    return this.#open?.seq === seq ? this.#open.step : undefined
  }

  // ---- accounts ----

  /** Milliseconds of the run's time that are left, counting the work under way. */
  get msLeft(): number {
    const limit = this.ledger.limits['seconds']
    if (limit === undefined) return Infinity
    const since = this.#workingSince
    const underWay = since === undefined ? 0 : this.services.clock.now() - since
    return Math.max(0, (limit - (this.ledger.spent['seconds'] ?? 0)) * 1000 - underWay)
  }

  /** Does work on the run's time. */
  async onTheClock<Value>(work: () => Promise<Value>): Promise<Value> {
    const { clock } = this.services
    const began = clock.now()
    this.#workingSince = began
    try {
      return await work()
    } finally {
      this.#workingSince = undefined
      this.ledger.spend({ seconds: Math.max(0, clock.now() - began) / 1000 })
    }
  }

  /** The counters that changed since this was last asked, as they stand now. */
  takeSpent(): Amounts {
    const now = this.ledger.spent
    const changed: Record<string, number> = {}
    for (const counter in now) {
      const amount = now[counter] ?? 0
      if (amount !== this.#billed[counter]) changed[counter] = amount
    }
    this.#billed = { ...now }
    return changed
  }

  /** Tokens that a conversation is known to take, so that only its new tail is estimated. */
  knownTokens(model: string, thread: Thread): { readonly length: number; readonly tokens: number } {
    const known = this.#known
    if (known?.model !== model || !thread.extends(known.thread)) return { length: 0, tokens: 0 }
    return { length: known.thread.length, tokens: known.tokens }
  }

  learnTokens(known: Known): void {
    this.#known = known
  }
}
