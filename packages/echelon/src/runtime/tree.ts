import { type Amounts, Ledger } from '../core/agent/budget.ts'
import type { Listener } from '../core/agent/event.ts'
import type { EchelonError } from '../core/value/error.ts'
import type { Entry, FromOutside } from '../core/journal/journal.ts'
import { seededRandom } from '../core/value/random.ts'
import { type Redactor, redactText } from '../core/redaction/redaction.ts'
import type { Thread } from '../core/message/thread.ts'
import { Audience } from './audience.ts'
import { hasFile } from './model/believed-usage.ts'
import { type Canceler, Deadlines, pause } from './model/deadline.ts'
import { JournalWriter } from './journal/journal-writer.ts'
import { PromptIds } from './model/prompt-id.ts'
import { Requests } from './people/requests.ts'
import type { Services } from './services.ts'
import { Stopwatch } from './stopwatch.ts'
import { type Suspend, Waits, type RunActivity } from './waits.ts'

/** Tokens that a model counted in a conversation. Other models count differently. */
interface Known {
  readonly model: string
  readonly thread: Thread
  readonly tokens: number
  /** Whether it holds a file, whose bytes say nothing about its tokens. */
  readonly hasFile: boolean
}

/** Receives the position of the root run between steps, and when it waits (`RootSnapshots`). */
export interface SnapshotKeeper {
  reach(position: { readonly state: unknown; readonly seq: number }): void
  keep(): void
}

export interface TreeOptions {
  readonly runId: string
  readonly seed: number
  readonly caller?: string | undefined
  readonly spent?: Amounts
  /** Entries that an earlier process recorded, of this run and its child runs. */
  readonly entries?: readonly Entry[]
  /** Number of them that are recorded under this run's id. */
  readonly read?: number
  /** Default: the setting of the services. */
  readonly suspend?: Suspend | undefined
}

/**
 * State shared by a run and its child runs: one ledger, one journal stream, one cancel, one set of
 * listeners. It lives as long as the run and holds nothing that the journal can't restore. Parts
 * that only some runs need are created lazily.
 */
export class Tree implements Canceler, RunActivity {
  readonly services: Services
  readonly runId: string
  readonly caller: string | undefined
  readonly ledger: Ledger
  readonly journal: JournalWriter
  readonly audience: Audience
  readonly requests: Requests
  readonly deadlines: Deadlines = new Deadlines()
  readonly waits: Waits
  /** Takes snapshots of the root run; `undefined` without snapshots. */
  snapshots: SnapshotKeeper | undefined
  /** Entries that an earlier process recorded; empty in most runs. */
  readonly entries: readonly Entry[]
  readonly seed: number
  readonly #stopwatch: Stopwatch
  #random: (() => number) | undefined
  #promptIds: PromptIds | undefined
  #cancel: AbortController | undefined
  #canceledBy: 'user' | 'shutdown' | undefined
  #input: string[] | undefined
  #inputClosed = false
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
    // A run without a journal can't be resumed elsewhere.
    const mayLeave = services.journal !== undefined
    this.waits = new Waits(this, mayLeave ? (suspend ?? services.suspend) : undefined)
    for (const { hear, only } of services.listeners ?? NOBODY) this.audience.listen(hear, only)
  }

  get clock(): Services['clock'] {
    return this.services.clock
  }

  /** The redactor for events and file names. */
  get redact(): Redactor {
    return this.audience.redact
  }

  /** Returns a number in [0, 1), from the run's seed. */
  random(): number {
    this.#random ??= seededRandom(this.seed)
    return this.#random()
  }

  get promptIds(): PromptIds {
    this.#promptIds ??= new PromptIds((value) => this.redact(value))
    return this.#promptIds
  }

  // ---- cancel and user input ----

  /** For external code; deadlines are notified of a cancel without it. */
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

  /** @returns whether the run still accepts input */
  hear(text: string): boolean {
    if (this.#inputClosed || this.isCanceled) return false
    this.#input ??= []
    this.#input.push(text)
    return true
  }

  /** Stops accepting input, unless some is undelivered. @returns whether the run can end */
  closeInput(): boolean {
    this.#inputClosed = this.isCanceled || !this.hasInput
    return this.#inputClosed
  }

  /** Whether the user sent input that is not delivered yet, and so not recorded. */
  get hasInput(): boolean {
    return this.#input !== undefined && this.#input.length > 0
  }

  takeInput(): string | undefined {
    return this.#input?.shift()
  }

  /** Waits `ms` milliseconds, or until the run is canceled. */
  pause(ms: number): Promise<void> {
    return pause(this.clock, ms, this.cancelSignal)
  }

  // ---- waits ----

  get timeZone(): string {
    return this.services.timeZone
  }

  /** Whether no work, input or journal write is pending. */
  get isQuiet(): boolean {
    const isStill = this.#stopwatch.isStill && this.journal.isIdle
    return isStill && !this.hasInput && !this.isCanceled
  }

  suspend(error: EchelonError): void {
    this.journal.suspend(error)
  }

  /** Handles an entry that another process, or another part of this one, recorded. */
  #hearOutside(entry: FromOutside): void {
    if (entry.type === 'replied') this.requests.hear(entry.request, entry.reply)
    else this.cancel(entry.by)
  }

  // ---- accounting ----

  /** Milliseconds left of the run's time, counting the work in flight. */
  get msLeft(): number {
    const limit = this.ledger.limits['seconds']
    if (limit === undefined) return Infinity
    const spentMs = (this.ledger.spent['seconds'] ?? 0) * 1000
    return Math.max(0, limit * 1000 - spentMs - this.#stopwatch.underWayMs)
  }

  /** Starts work that counts toward the run's time; each call needs an `endWork`. */
  beginWork(): void {
    this.#stopwatch.begin(this.#now)
    this.#now = undefined
  }

  /** When work last ended; `undefined` while there is any. */
  get workEndedAt(): number | undefined {
    return this.#stopwatch.endedAt
  }

  /** Sets the time for work that begins before anything is awaited, to save reading the clock. */
  assumeNow(at: number | undefined): void {
    this.#now = at
  }

  endWork(): void {
    this.ledger.count('seconds', this.#stopwatch.end() / 1000)
    if (this.waits.isWanted) this.waits.lookSoon()
  }

  /** Returns the current values of the counters that changed since the last call. */
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

  /** Returns the known tokens of a conversation's start, so that only its new tail is estimated. */
  knownTokens(model: string, thread: Thread): { readonly length: number; readonly tokens: number } {
    const known = this.#known
    if (known?.model !== model || !thread.extends(known.thread)) return NONE_KNOWN
    return { length: known.thread.length, tokens: known.tokens }
  }

  /**
   * Keeps the tokens that a model reported for a conversation. A report that is too low for English is not relied
   * on, or the next call would be reserved at less than it can take.
   */
  learnTokens(model: string, thread: Thread, reported: number): void {
    const { limits } = this.ledger
    // Only these limits use it.
    if (limits['tokens'] === undefined && limits['money'] === undefined) return
    const known = this.#known
    const before = known !== undefined && thread.extends(known.thread) ? known : undefined
    const hasFile = before?.hasFile === true || hasFileFrom(thread, before?.thread.length ?? 0)
    const least = hasFile ? 0 : Math.ceil(thread.bytes / BYTES_OF_ENGLISH)
    this.#known = { model, thread, tokens: Math.max(reported, least), hasFile }
  }
}

/** Bytes of a token in English, about. Other text has fewer, so that its true reports are higher. */
const BYTES_OF_ENGLISH = 4

function hasFileFrom(thread: Thread, start: number): boolean {
  for (let index = start; index < thread.length; index++) {
    const message = thread.at(index)
    if (message !== undefined && hasFile(message)) return true
  }
  return false
}

const NOBODY: readonly Listener[] = []
const NOTHING: Amounts = {}
const NO_ENTRIES: readonly Entry[] = []
const NONE_KNOWN = { length: 0, tokens: 0 }
