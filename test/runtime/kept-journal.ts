import type {
  Beside,
  Entry,
  FromOutside,
  Journal,
  Leaving,
} from '../../packages/echelon/src/core/journal/journal.ts'
import type { SessionChange } from '../../packages/echelon/src/core/store/session-store.ts'
import type { Snapshot } from '../../packages/echelon/src/core/journal/snapshot.ts'

/** A journal of many runs that outlives its processes: all entries go through JSON. */
export class KeptJournal implements Journal {
  readonly appends: { readonly run: string; readonly text: string }[] = []
  readonly snapshots: { readonly run: string; readonly text: string; readonly after: number }[] = []
  readonly sessions: SessionChange[] = []
  readonly left: { readonly run: string; readonly how: Leaving }[] = []
  readonly #followers = new Map<string, (entry: FromOutside) => void>()

  append(run: string, entries: readonly Entry[], beside?: Beside): void {
    this.appends.push({ run, text: JSON.stringify(entries) })
    const { snapshot, session } = beside ?? {}
    if (snapshot !== undefined) {
      const text = JSON.stringify(snapshot)
      this.snapshots.push({ run, text, after: this.appends.length })
    }
    if (session !== undefined) this.sessions.push(session)
  }

  read(run: string): readonly Entry[] {
    return this.appends.flatMap(({ run: of, text }): Entry[] =>
      of === run ? JSON.parse(text) : [],
    )
  }

  snapshot(run: string): Snapshot | undefined {
    const newest = this.snapshots.findLast((one) => one.run === run)
    return newest && JSON.parse(newest.text)
  }

  follow(run: string, hear: (entry: FromOutside) => void): () => void {
    this.#followers.set(run, hear)
    return () => void this.#followers.delete(run)
  }

  leave(run: string, how: Leaving): void {
    this.left.push({ run, how })
  }

  /** Another process records something. */
  put(run: string, entry: FromOutside): void {
    this.append(run, [entry])
    this.#followers.get(run)?.(entry)
  }

  get followed(): readonly string[] {
    return [...this.#followers.keys()]
  }

  types(run: string): readonly string[] {
    return this.read(run).map(({ type }) => type)
  }
}
