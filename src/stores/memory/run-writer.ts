import type { Beside, Entry, FromOutside, Leaving, Started } from '../../core/journal.ts'
import type { Clock } from '../../core/ports.ts'
import type { SessionChange } from '../../core/session-store.ts'
import { artifactsOfEntries } from '../artifacts-of-entries.ts'
import {
  begunAlready,
  behind,
  busy,
  busySession,
  changeRefusal,
  hasEnded,
  notTaken,
  stale,
  turnRefusal,
  underWay,
} from '../refusals.ts'
import { runChange, type RunChange } from '../run-change.ts'
import type { MemoryDisk } from './disk.ts'
import { KeptRun } from './kept-run.ts'
import { type Lease, Leases, liveRun } from './leases.ts'

/** Writes the entries of runs for one process: each append as a whole, or not at all. */
export class RunWriter {
  readonly #disk: MemoryDisk
  readonly #clock: Clock
  readonly #leases: Leases
  /** Runs that this process writes. */
  readonly #held = new Map<string, Lease>()

  constructor(disk: MemoryDisk, clock: Clock) {
    this.#disk = disk
    this.#clock = clock
    this.#leases = new Leases(disk.leases)
  }

  append(id: string, entries: readonly Entry[], beside: Beside | undefined): void {
    if (entries.length === 0 && beside === undefined) return
    const text = JSON.stringify(entries)
    const snapshot = beside?.snapshot && JSON.stringify(beside.snapshot)
    const change = runChange(entries)
    const held = this.#held.get(id)
    const run =
      held === undefined ? this.#takeable(id, change, entries) : this.#written(id, held, change)
    if (beside?.session !== undefined) this.#check(beside.session)
    // From here on nothing can fail.
    if (held === undefined) this.#held.set(id, this.#leases.take(run.lease, id))
    this.#disk.runs.set(id, run)
    this.#put(run, { text, entries, change, isFromOutside: false })
    if (snapshot !== undefined) run.snapshot = snapshot
    if (beside?.session !== undefined) this.#disk.write(beside.session)
    if (change.ended !== undefined) this.#letGo(id)
  }

  /** What comes from outside, whoever writes the run. */
  appendFree(run: KeptRun, entry: FromOutside): void {
    const entries = [entry]
    const change = runChange(entries)
    this.#put(run, { text: JSON.stringify(entries), entries, change, isFromOutside: true })
    run.wake(this.#clock.now())
  }

  /** Whether this process has a run under way. */
  holds(id: string): boolean {
    const lease = this.#held.get(id)
    return lease !== undefined && this.#leases.holds(lease)
  }

  leave(id: string, how: Leaving): void {
    const run = this.#disk.runs.get(id)
    if (run !== undefined && this.holds(id)) {
      const now = this.#clock.now()
      if (how.type === 'over') run.leave('left', null, now)
      // What came while it let go, nobody has heard.
      else run.leave('suspended', run.hasNews ? now : (how.wakeAt ?? null), now)
    }
    this.#letGo(id)
  }

  leaveAll(): void {
    for (const id of this.#held.keys()) this.leave(id, { type: 'over' })
  }

  lapse(): void {
    this.#leases.lapse()
  }

  #put(
    run: KeptRun,
    append: {
      readonly text: string
      readonly entries: readonly Entry[]
      readonly change: RunChange
      readonly isFromOutside: boolean
    },
  ): void {
    const { text, entries, change, isFromOutside } = append
    const now = this.#clock.now()
    run.appends.push({ text, isFromOutside })
    run.size += entries.length
    run.take(change, now)
    this.#disk.index(run.id, artifactsOfEntries(entries), now)
  }

  /** A run that this process began or took up, if nobody has taken it since. */
  #written(id: string, lease: Lease, change: RunChange): KeptRun {
    const run = this.#disk.runs.get(id)
    if (run === undefined || !this.#leases.holds(lease)) {
      this.#held.delete(id)
      throw stale(id)
    }
    if (change.isTakenUp) throw underWay(id, change)
    return run
  }

  /** A run that whoever appends begins, or goes on with. */
  #takeable(id: string, { started, isTakenUp }: RunChange, entries: readonly Entry[]): KeptRun {
    const known = this.#disk.runs.get(id)
    if (started !== undefined) return this.#begun(id, started, known)
    if (known === undefined || !isTakenUp) throw notTaken(id)
    if (known.hasEnded) throw hasEnded(id)
    this.#checkFree(known)
    for (const entry of entries) {
      if (entry.type !== 'resumed' || entry.path !== undefined) continue
      if (entry.after !== undefined && entry.after !== known.size) throw behind(id)
    }
    return known
  }

  #begun(id: string, started: Started, known: KeptRun | undefined): KeptRun {
    if (known !== undefined) throw begunAlready(id)
    const run = new KeptRun(id, started)
    this.#checkFree(run)
    const there = this.#disk.sessions.get(run.session ?? '')
    const refusal = turnRefusal(started, there?.messages.length ?? 0)
    if (refusal !== undefined) throw refusal
    return run
  }

  /**
   * A conversation has one turn at a time. One that waits or whose process died must have its end
   * first; one whose process left it as failed does not stand in the way.
   */
  #checkFree(run: KeptRun): void {
    if (run.session !== null) {
      const other = this.#disk
        .runsOf(run.session)
        .findLast(
          ({ id, status }) => id !== run.id && (status === 'open' || status === 'suspended'),
        )
      if (other !== undefined) throw busySession(run.session, other.id)
    }
    if (liveRun(this.#disk.leases, run.lease) !== undefined) throw busy(run.id)
  }

  #check(change: SessionChange): void {
    const there = this.#disk.sessions.get(change.id)
    const standing = there && { agent: there.agent, length: there.messages.length }
    const refusal = changeRefusal(change, standing)
    if (refusal !== undefined) throw refusal
  }

  #letGo(id: string): void {
    const lease = this.#held.get(id)
    this.#held.delete(id)
    if (lease !== undefined) this.#leases.release(lease)
  }
}
