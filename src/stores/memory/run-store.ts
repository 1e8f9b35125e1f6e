import type { Beside, Entry, FromOutside, Leaving } from '../../core/journal.ts'
import { isJson, type Json } from '../../core/json.ts'
import type { Clock } from '../../core/ports.ts'
import { EchelonError } from '../../core/error.ts'
import { replyProblem } from '../../core/reply.ts'
import type { Pruned, Retention, RunFilter, RunStore, RunSummary } from '../../core/run-store.ts'
import type { Snapshot } from '../../core/snapshot.ts'
import { busy, notWaiting, unknownRun } from '../refusals.ts'
import type { Follower, MemoryDisk } from './disk.ts'
import { inOrder, type KeptRun } from './kept-run.ts'
import { prune } from './prune.ts'
import { RunWriter } from './run-writer.ts'

/**
 * Runs in memory, as one process sees them. Several of these over one `MemoryDisk` are as several
 * processes over one file: each holds what it works on, and is refused what another holds.
 */
export class MemoryRunStore implements RunStore {
  readonly #disk: MemoryDisk
  readonly #clock: Clock
  readonly #writer: RunWriter

  constructor(disk: MemoryDisk, clock: Clock) {
    this.#disk = disk
    this.#clock = clock
    this.#writer = new RunWriter(disk, clock)
  }

  append(runId: string, entries: readonly Entry[], beside?: Beside): void {
    this.#writer.append(runId, entries, beside)
  }

  read(runId: string): readonly Entry[] {
    const appends = this.#disk.runs.get(runId)?.appends ?? []
    return appends.flatMap(({ text }): readonly Entry[] => JSON.parse(text))
  }

  snapshot(runId: string): Snapshot | undefined {
    const text = this.#disk.runs.get(runId)?.snapshot
    return text === undefined ? undefined : JSON.parse(text)
  }

  follow(runId: string, hear: (entry: FromOutside) => void): () => void {
    const { takenUpWith = -1 } = this.#disk.runs.get(runId) ?? {}
    const heardBy = (): boolean => this.#writer.holds(runId)
    // When it was taken up, all before was read.
    const follower = { run: runId, hear, heardBy, next: takenUpWith + 1 }
    this.#disk.followers.add(follower)
    this.#tell(follower)
    return () => void this.#disk.followers.delete(follower)
  }

  leave(runId: string, how: Leaving): void {
    this.#writer.leave(runId, how)
  }

  async list({ status, agent, session, limit = 100 }: RunFilter = {}): Promise<
    readonly RunSummary[]
  > {
    return this.#newestFirst()
      .filter((run) => agent === undefined || run.started.agent === agent)
      .filter((run) => session === undefined || run.session === session)
      .map((run) => run.summary(this.#disk.leases))
      .filter((run) => status === undefined || status.includes(run.status))
      .slice(0, limit)
  }

  async find(runId: string): Promise<RunSummary | undefined> {
    return this.#disk.runs.get(runId)?.summary(this.#disk.leases)
  }

  async reply(runId: string, request: string, reply: Json, by?: string): Promise<void> {
    const run = this.#known(runId)
    const asked = run.requests.find(({ id }) => id === request)
    const now = this.#clock.now()
    if (asked === undefined)
      throw notWaiting(runId, request, 'it never asked that, or goes on without')
    if (asked.isAnswered) throw notWaiting(runId, request, 'it was answered before')
    if (asked.until !== null && asked.until <= now)
      throw notWaiting(runId, request, 'its time is over')
    const problem = isJson(reply) ? replyProblem(asked.about, reply) : 'answer with JSON'
    if (problem !== undefined)
      throw new EchelonError('INVALID_INPUT', problem, { details: { request } })
    this.#hand(run, { type: 'replied', request, reply, at: now, ...(by !== undefined && { by }) })
  }

  async askToCancel(runId: string, by: 'user' | 'shutdown' = 'user'): Promise<boolean> {
    const run = this.#known(runId)
    if (run.hasEnded) return false
    if (!run.isCancelAsked) this.#hand(run, { type: 'cancel-asked', by, at: this.#clock.now() })
    // Asked again, it wakes once more and is told nothing new.
    else run.wake(this.#clock.now())
    return true
  }

  async due(limit: number = 100): Promise<readonly RunSummary[]> {
    const now = this.#clock.now()
    return [...this.#disk.runs.values()]
      .filter((run) => run.isDue(this.#disk.leases, now))
      .sort((a, b) => a.changedAt - b.changedAt || inOrder(a.id, b.id))
      .slice(0, limit)
      .map((run) => run.summary(this.#disk.leases))
  }

  async remove(runId: string): Promise<void> {
    if (this.#disk.runs.get(runId)?.isLive(this.#disk.leases) === true) throw busy(runId)
    this.#disk.dropRuns([runId])
  }

  async prune(retention: Retention): Promise<Pruned> {
    return prune(this.#disk, retention, this.#clock.now())
  }

  /**
   * Takes this process for dead, as one that stood still for too long: others may take up what it
   * works on. It does not know it, and finds out when it writes.
   */
  lapse(): void {
    this.#writer.lapse()
  }

  /** Lets go of all runs. */
  close(): void {
    this.#writer.leaveAll()
  }

  #known(runId: string): KeptRun {
    const run = this.#disk.runs.get(runId)
    if (run === undefined) throw unknownRun(runId)
    return run
  }

  #hand(run: KeptRun, entry: FromOutside): void {
    this.#writer.appendFree(run, entry)
    for (const follower of this.#disk.followers) if (follower.run === run.id) this.#tell(follower)
  }

  /** All that it has not heard. */
  #tell(follower: Follower): void {
    const run = this.#disk.runs.get(follower.run)
    if (run === undefined) return
    const news = run.appends.slice(follower.next).filter(({ isFromOutside }) => isFromOutside)
    follower.next = run.appends.length
    if (follower.heardBy()) run.heardTo = run.appends.length
    for (const { text } of news) {
      const entries: readonly FromOutside[] = JSON.parse(text)
      for (const entry of entries) follower.hear(entry)
    }
  }

  #newestFirst(): readonly KeptRun[] {
    return [...this.#disk.runs.values()].sort(
      (a, b) => b.started.at - a.started.at || inOrder(b.id, a.id),
    )
  }
}
