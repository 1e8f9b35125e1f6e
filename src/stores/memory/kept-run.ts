import { condensed } from '../../core/condensed.ts'
import type { Ended, Entry, Started } from '../../core/journal.ts'
import type { OpenRequest, RunStatus, RunSummary } from '../../core/run-store.ts'
import { isOver, type RunChange } from '../run-change.ts'
import { asStored } from './as-stored.ts'
import { type LeaseRows, liveRun } from './leases.ts'

/** One append, as text: nobody who wrote or read it can change it. */
interface KeptAppend {
  readonly text: string
  readonly isFromOutside: boolean
}

interface KeptRequest extends OpenRequest {
  readonly place: string
  isAnswered: boolean
}

/** Any order will do, if it is always the same. */
export function inOrder(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A run with all that is said of it. */
export class KeptRun {
  readonly id: string
  readonly started: Started
  appends: KeptAppend[] = []
  /** How many entries there are. */
  size = 0
  /** The append with which it was taken up last. */
  takenUpWith = 0
  /** What comes from outside up to here has been heard by whoever works on it. */
  heardTo = 0
  /**
   * `open`: somebody works on it, or died at it, as the leases tell. `suspended`: it waits. `left`:
   * it failed, and goes on only where somebody resumes it.
   */
  status: 'open' | 'suspended' | 'left' | Ended['status'] = 'open'
  reason: string | null = null
  changedAt: number
  wakeAt: number | null = null
  isCancelAsked = false
  requests: readonly KeptRequest[] = []
  /** As text. */
  snapshot: string | undefined

  constructor(id: string, started: Started) {
    this.id = id
    this.started = asStored(started)
    this.changedAt = this.beganAt
  }

  /** A fork begins when it is forked, whatever the times of what it began with. */
  get beganAt(): number {
    return this.started.forkedFrom?.forkedAt ?? this.started.at
  }

  get session(): string | null {
    return this.started.session?.id ?? null
  }

  get lease(): string {
    return this.session === null ? `run:${this.id}` : `session:${this.session}`
  }

  get hasEnded(): boolean {
    return this.status === 'finished' || this.status === 'canceled'
  }

  isLive(leases: LeaseRows): boolean {
    return this.status === 'open' && liveRun(leases, this.lease) === this.id
  }

  /** Whether something came from outside that nobody who works on it has heard. */
  get hasNews(): boolean {
    return this.appends.some((one, n) => one.isFromOutside && n >= this.heardTo)
  }

  /** Brings what is said of it up to an append, which is in already. */
  take(change: RunChange, now: number): void {
    const { isTakenUp, over, asked, answered, isCancelAsked, ended } = change
    if (isTakenUp) this.#takeUp(now)
    const left = this.requests.filter(({ place }) => !isOver(place, over))
    const known = new Set(left.map(({ id }) => id))
    const added = asked
      .filter(({ entry }) => !known.has(entry.request))
      .map(({ entry: { request: id, about, at, until = null }, place }) => {
        return { id, about: asStored(about), at, until, place, isAnswered: false }
      })
    this.requests = [...left, ...added]
    for (const one of this.requests) one.isAnswered ||= answered.includes(one.id)
    if (isCancelAsked) this.isCancelAsked = true
    if (ended !== undefined) this.#end(ended, now)
  }

  leave(status: 'suspended' | 'left', wakeAt: number | null, now: number): void {
    this.status = status
    this.wakeAt = wakeAt
    this.changedAt = now
  }

  /** Something came from outside for a run that nobody works on: it is to be taken up. */
  wake(now: number): void {
    if (this.status !== 'suspended' && this.status !== 'left') return
    this.status = 'suspended'
    this.wakeAt = now
  }

  isDue(leases: LeaseRows, now: number): boolean {
    if (this.status === 'open') return !this.isLive(leases)
    return this.status === 'suspended' && this.wakeAt !== null && this.wakeAt <= now
  }

  /**
   * Keeps its newest snapshot in the place of what that was made of.
   * @returns whether there is less to keep by that
   */
  shorten(dryRun: boolean): boolean {
    if (this.snapshot === undefined) return false
    const entries = this.appends.flatMap(({ text }): readonly Entry[] => JSON.parse(text))
    const short = condensed(entries, JSON.parse(this.snapshot))
    if (short.length >= entries.length) return false
    // Whoever takes it up has read all; places of appends count from there.
    if (!dryRun) this.appends = [{ text: JSON.stringify(short), isFromOutside: false }]
    return true
  }

  summary(leases: LeaseRows): RunSummary {
    const { agent, version, input, made = null, forkedFrom } = this.started
    return structuredClone({
      id: this.id,
      agent,
      version,
      status: this.#statusNow(leases),
      reason: this.reason,
      input,
      made,
      session: this.session,
      forkedFrom: forkedFrom?.run ?? null,
      beganAt: this.beganAt,
      changedAt: this.changedAt,
      wakeAt: this.wakeAt,
      requests: this.requests
        .filter(({ isAnswered }) => !isAnswered)
        .toSorted((a, b) => a.at - b.at || inOrder(a.id, b.id))
        .map(({ id, about, at, until }) => ({ id, about, at, until })),
      isCancelAsked: this.isCancelAsked,
    })
  }

  #statusNow(leases: LeaseRows): RunStatus {
    if (this.status === 'finished' || this.status === 'canceled') return this.status
    const asks = this.requests.some(({ isAnswered }) => !isAnswered)
    if (asks || this.status === 'suspended') return 'waiting'
    return this.isLive(leases) ? 'running' : 'interrupted'
  }

  #takeUp(now: number): void {
    this.status = 'open'
    this.wakeAt = null
    this.changedAt = now
    this.takenUpWith = this.appends.length - 1
    this.heardTo = this.appends.length
  }

  #end({ status, reason }: Ended, now: number): void {
    this.status = status
    this.reason = reason
    this.changedAt = now
    this.wakeAt = null
    this.isCancelAsked = false
    this.requests = []
  }
}
