import type { Clock } from '../../core/ports.ts'
import type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from '../../core/working-memory.ts'
import { notesFound } from '../notes-found.ts'

type Answer = MemoryNote | null | 'conflict'

/** Notes as long as the process lives. */
export class MemoryNotes implements DynamicMemoryStore {
  readonly #clock: Clock
  /** By id, the one that changed last at the end. */
  readonly #notes = new Map<string, MemoryNote>()
  readonly #answers = new Map<string, { readonly scope: NoteScope; readonly answer: Answer }>()
  #made = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async find(
    scopes: readonly NoteScope[],
    query?: string,
    limit?: number,
  ): Promise<readonly MemoryNote[]> {
    const seen = [...this.#notes.values()].filter((note) => scopes.some(isOf(note)))
    return notesFound(seen.toReversed(), query, limit).map(copied)
  }

  async write(change: NoteChange, key: string): Promise<Answer> {
    const done = this.#answers.get(key)
    if (done !== undefined) return copiedAnswer(done.answer)
    const answer = this.#changed(change)
    this.#answers.set(key, { scope: { ...change.scope }, answer })
    return copiedAnswer(answer)
  }

  async erase(scope: NoteScope): Promise<number> {
    return this.#erase(scope)
  }

  /** Of runs that are gone no write is repeated; of a conversation that is gone nothing stays. */
  drop(runs: readonly string[], session?: string): void {
    for (const key of this.#answers.keys()) {
      if (runs.some((run) => key.startsWith(`${run}:`))) this.#answers.delete(key)
    }
    if (session !== undefined) this.#erase({ kind: 'session', id: session })
  }

  #changed(change: NoteChange): Answer {
    const at = this.#clock.now()
    if (change.type === 'create') {
      const { scope, title, text } = change
      const id = `n${++this.#made}`
      return this.#put({ id, scope, title, text, createdAt: at, changedAt: at, version: 1 })
    }
    const note = this.#notes.get(change.id)
    if (note === undefined || !isOf(note)(change.scope)) return null
    if (change.type === 'delete') {
      this.#notes.delete(note.id)
      return note
    }
    const { title = note.title, text = note.text, ifVersion = note.version } = change
    if (ifVersion !== note.version) return 'conflict'
    return this.#put({ ...note, title, text, changedAt: at, version: note.version + 1 })
  }

  #put(note: MemoryNote): MemoryNote {
    const kept = copied(note)
    this.#notes.delete(kept.id)
    this.#notes.set(kept.id, kept)
    return kept
  }

  #erase(scope: NoteScope): number {
    const gone = [...this.#notes.values()].filter((note) => isOf(note)(scope))
    for (const { id } of gone) this.#notes.delete(id)
    for (const [key, done] of this.#answers) {
      if (isSame(done.scope, scope)) this.#answers.set(key, { ...done, answer: null })
    }
    return gone.length
  }
}

const isSame = (one: NoteScope, other: NoteScope): boolean =>
  one.kind === other.kind && one.id === other.id

const isOf =
  ({ scope }: MemoryNote) =>
  (asked: NoteScope): boolean =>
    isSame(scope, asked)

const copied = (note: MemoryNote): MemoryNote => ({ ...note, scope: { ...note.scope } })

const copiedAnswer = (answer: Answer): Answer =>
  answer === null || answer === 'conflict' ? answer : copied(answer)
