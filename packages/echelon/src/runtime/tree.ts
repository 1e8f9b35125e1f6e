import type { Amounts } from '../core/agent/budget.ts'
import { Ledger } from '../core/agent/budget.ts'
import type { Listener } from '../core/agent/event.ts'
import type { EchelonError } from '../core/value/error.ts'
import type { Entry, FromOutside } from '../core/journal/journal.ts'
import { seededRandom } from '../core/value/random.ts'
import { type Redactor, redactText } from '../core/redaction/redaction.ts'
import type { Thread } from '../core/message/thread.ts'
import { Audience } from './audience.ts'
import { type Canceler, Deadlines, pause } from './model/deadline.ts'
import { JournalWriter } from './record/journal-writer.ts'
import { PromptIds } from './model/prompt-id.ts'
import { Requests } from './people/requests.ts'
import type { Services } from './services.ts'
import { Stopwatch } from './stopwatch.ts'
import { type Suspend, Waits, type Whereabouts } from './waits.ts'

/** How many tokens a model counted in a conversation. Another model's tokens are not the same. */
interface Known {
  readonly model: string
  readonly thread: Thread
  readonly tokens: number
}

/** Hears where the root of a tree stands, between two steps and where it waits (`RootStanding`). */
export interface StandingKeeper {
  reach(position: { readonly state: unknown; readonly seq: number }): void
  keep(): void
}

export interface TreeOptions {
  readonly runId: string
  readonly seed: number
  readonly caller?: string | undefined
  readonly spent?: Amounts
  /** What an earlier process left on record, of this run and of those that it began. */
  readonly entries?: readonly Entry[]
  /** How many of them are on record under its own id. */
  readonly read?: number
  /** Default that of the services. */
  readonly suspend?: Suspend | undefined
}

/**
 * What all runs of one tree share: one ledger, one journal stream, one cancel, one audience.
 * Lives as long as the run does and holds nothing that the journal could not restore. What only
 * some runs need is made when they need it.
 */
export class Tree implements Canceler, Whereabouts {
  readonly services: Services
  readonly runId: string
  readonly caller: string | undefined
  readonly ledger: Ledger
  readonly journal: JournalWriter
  readonly audience: Audience
  readonly requests: Requests
  readonly deadlines: Deadlines = new Deadlines()
  readonly waits: Waits
  /** Where its root stands; nothing where nobody keeps that. */
  standing: StandingKeeper | undefined
  /** What an earlier process left on record; empty in most runs. */
  readonly entries: readonly Entry[]
  readonly seed: number
  readonly #stopwatch: Stopwatch
  #random: (() => number) | undefined
  #promptIds: PromptIds | undefined
  #cancel: AbortController | undefined
  #canceledBy: 'user' | 'shutdown' | undefined
  #heard: string[] | undefined
  #isDeaf = false
  #billed: Amounts
  #known: Known | undefined
  #now: number | undefined

  constructor(
    services: Services,
    { runId, seed, caller, spent = NOTHING, entries = NO_ENTRIES, read = 0, suspend }: TreeOptions,
  ) {
    this.services = services
    this.runId = runId
    this.caller = caller
    this.ledger = new Ledger(services.limits, spent)
    this.journal = new JournalWriter(services.journal, runId, {
      hear: (entry) => this.#hearOutside(entry),
      read,
    })
    this.audience = new Audience(services.redact ?? redactText, runId)
    this.entries = entries
    this.requests = new Requests(entries)
    this.seed = seed
    this.#stopwatch = new Stopwatch(services.clock)
    this.#billed = spent
    // What is not on record cannot go on elsewhere.
    const mayLeave = services.journal !== undefined
    this.waits = new Waits(this, mayLeave ? (suspend ?? services.suspend) : undefined)
    for (const { hear, only } of services.listeners ?? NOBODY) this.audience.listen(hear, only)
  }

  get clock(): Services['clock'] {
    return this.services.clock
  }

  /** What hides is one for all that is told, and for the names of files. */
  get redact(): Redactor {
    return this.audience.redact
  }

  /** In [0, 1), from the run's seed. */
  random(): number {
    this.#random ??= seededRandom(this.seed)
    return this.#random()
  }

  get promptIds(): PromptIds {
    this.#promptIds ??= new PromptIds((value) => this.redact(value))
    return this.#promptIds
  }

  // ---- cancel, and the user's voice ----

  /** For code outside; deadlines hear of a cancel without it. */
  get cancelSignal(): AbortSignal {
    this.#cancel ??= new AbortController()
    if (this.isCanceled) this.#cancel.abort()
    return this.#cancel.signal
  }

  get canceledBy(): 'user' | 'shutdown' | undefined {
    return this.#canceledBy
  }

  get isCanceled(): boolean {
    return this.#canceledBy !== undefined
  }

  cancel(by: 'user' | 'shutdown'): void {
    this.#canceledBy ??= by
    this.deadlines.abort('canceled')
    this.#cancel?.abort()
  }

  /** @returns whether the run still listens */
  hear(text: string): boolean {
    if (this.#isDeaf || this.isCanceled) return false
    this.#heard ??= []
    this.#heard.push(text)
    return true
  }

  /** The run ends, unless something was said that it has not heard. @returns whether it ends */
  stopHearing(): boolean {
    this.#isDeaf = this.isCanceled || !this.hasUnheard
    return this.#isDeaf
  }

  /** Whether the user said something that nobody has heard yet, and that is on no record. */
  get hasUnheard(): boolean {
    return this.#heard !== undefined && this.#heard.length > 0
  }

  takeHeard(): string | undefined {
    return this.#heard?.shift()
  }

  /** Waits so many milliseconds, or until the run is canceled. */
  pause(ms: number): Promise<void> {
    return pause(this.clock, ms, this.cancelSignal)
  }

  // ---- waits ----

  get timeZone(): string {
    return this.services.timeZone
  }

  /** Whether nothing is done, said or written just now. */
  get isQuiet(): boolean {
    const isStill = this.#stopwatch.isStill && this.journal.isIdle
    return isStill && !this.hasUnheard && !this.isCanceled
  }

  letGo(error: EchelonError): void {
    this.journal.letGo(error)
  }

  /** What another process put on record, or another part of this one. */
  #hearOutside(entry: FromOutside): void {
    if (entry.type === 'replied') this.requests.hear(entry.request, entry.reply)
    else this.cancel(entry.by)
  }

  // ---- accounts ----

  /** Milliseconds of the run's time that are left, counting the work under way. */
  get msLeft(): number {
    const limit = this.ledger.limits['seconds']
    if (limit === undefined) return Infinity
    const spentMs = (this.ledger.spent['seconds'] ?? 0) * 1000
    return Math.max(0, limit * 1000 - spentMs - this.#stopwatch.underWayMs)
  }

  /** Work on the run's time begins; each beginning has its end. */
  beginWork(): void {
    this.#stopwatch.begin(this.#now)
    this.#now = undefined
  }

  /** When work ended; nothing while there is any. */
  get workEndedAt(): number | undefined {
    return this.#stopwatch.endedAt
  }

  /** The time as it was just read, for work that begins before anything is waited for. */
  assumeNow(at: number | undefined): void {
    this.#now = at
  }

  endWork(): void {
    this.ledger.count('seconds', this.#stopwatch.end() / 1000)
    if (this.waits.isWanted) this.waits.lookSoon()
  }

  /** The counters that changed since this was last asked, as they stand now. */
  takeSpent(): Amounts {
    const before = this.#billed
    const now = this.ledger.snapshot()
    this.#billed = now
    if (before === NOTHING) return now
    const changed: Record<string, number> = {}
    for (const counter in now) {
      const amount = now[counter] ?? 0
      if (amount !== before[counter]) changed[counter] = amount
    }
    return changed
  }

  /** Tokens that a conversation is known to take, so that only its new tail is estimated. */
  knownTokens(model: string, thread: Thread): { readonly length: number; readonly tokens: number } {
    const known = this.#known
    if (known?.model !== model || !thread.extends(known.thread)) return NONE_KNOWN
    return { length: known.thread.length, tokens: known.tokens }
  }

  learnTokens(model: string, thread: Thread, tokens: number): void {
    const { limits } = this.ledger
    // Nobody asks where nothing is limited by them.
    if (limits['tokens'] === undefined && limits['money'] === undefined) return
    this.#known = { model, thread, tokens }
  }
}

const NOBODY: readonly Listener[] = []
const NOTHING: Amounts = {}
const NO_ENTRIES: readonly Entry[] = []
const NONE_KNOWN = { length: 0, tokens: 0 }
