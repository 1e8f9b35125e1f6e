import type { FromOutside } from '../../core/journal.ts'
import type { Artifact } from '../../core/artifact.ts'
import type { SessionChange, StoredSession } from '../../core/session-store.ts'
import type { IndexedArtifact } from '../../core/store.ts'
import { asStored } from './as-stored.ts'
import type { KeptRun } from './kept-run.ts'
import { type LeaseRows, revoke } from './leases.ts'

/** Somebody who hears what comes from outside for a run. */
export interface Follower {
  readonly run: string
  readonly hear: (entry: FromOutside) => void
  /** Whether whoever hears it works on the run. */
  readonly heardBy: () => boolean
  /** The append that it looks at next. */
  next: number
}

/** What else is kept of runs and conversations, by whoever shares the memory. */
export interface Keeper {
  /** Forgets all that belongs to these runs, and to the conversation. */
  drop(runs: readonly string[], session?: string): void
  /** How many results these runs left. */
  results?(runs: readonly string[]): number
  /** How many cached answers have had their time; they go, unless they are only counted. */
  outdated?(dryRun: boolean): number
}

/** What stores in memory share, as processes share a file. */
export class MemoryDisk {
  readonly runs: Map<string, KeptRun> = new Map()
  readonly leases: LeaseRows = new Map()
  readonly sessions: Map<string, StoredSession> = new Map()
  readonly disposable: Set<string> = new Set()
  readonly followers: Set<Follower> = new Set()
  readonly keepers: Set<Keeper> = new Set()
  artifacts: readonly IndexedArtifact[] = []

  /** Runs of a conversation, oldest first. */
  runsOf(session: string): readonly KeptRun[] {
    return [...this.runs.values()].filter((run) => run.session === session)
  }

  /** A file is told of as its call settles, and again when the step closes: the first time counts. */
  index(run: string, made: readonly Artifact[], at: number): void {
    for (const artifact of made) {
      const isKnown = this.artifacts.some((one) => one.run === run && one.name === artifact.name)
      if (!isKnown) this.artifacts = [...this.artifacts, { ...asStored(artifact), run, at }]
    }
  }

  dropRuns(ids: readonly string[], session?: string): void {
    const gone = new Set(ids)
    for (const id of ids) this.runs.delete(id)
    revoke(this.leases, gone)
    this.artifacts = this.artifacts.filter(({ run }) => !gone.has(run))
    for (const keeper of this.keepers) keeper.drop(ids, session)
  }

  /** The runs of a conversation and those forked from them, which hold what was said as well. */
  runsWith(session: string): readonly KeptRun[] {
    const all = new Set(this.runsOf(session))
    // What is added meanwhile is come by as well.
    for (const { id } of all) {
      for (const run of this.runs.values()) if (run.started.forkedFrom?.run === id) all.add(run)
    }
    return [...all]
  }

  /** Of a conversation everything goes. */
  dropSession(id: string): void {
    const runs = this.runsWith(id).map((run) => run.id)
    this.sessions.delete(id)
    this.disposable.delete(id)
    this.dropRuns(runs, id)
  }

  /** What a turn left, or somebody who brought a conversation along; it was looked at before. */
  write(change: SessionChange): void {
    const { id, agent, keep, messages, states, continues, at } = change
    const before = this.sessions.get(id)
    const stays = before?.messages.slice(0, keep) ?? []
    const isDisposable = this.disposable.has(id)
    const beganAt = before?.beganAt ?? at
    const now = { id, agent, states, continues, isDisposable, beganAt, changedAt: at }
    const copied = asStored({ ...now, messages })
    this.sessions.set(id, { ...copied, messages: [...stays, ...copied.messages] })
  }
}
