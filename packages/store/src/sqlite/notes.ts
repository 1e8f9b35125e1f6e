import type { Clock } from 'echelon/runtime'
import type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from 'echelon/internal/knowledge'
import { noteNumber, noteOf } from '../note-of-row.ts'
import { notesFound } from '../notes-found.ts'
import type { Database } from './file/database.ts'
import { eraseBytes } from './file/erase-bytes.ts'
import { keptJson } from './kept-json.ts'
import type { Prepared } from './file/prepared.ts'
import { checkedIn, wholeIn } from './checksum/summed-tables.ts'

type Answer = MemoryNote | null | 'conflict'
type Row = NonNullable<ReturnType<Prepared['get']>>

/**
 * Notes for all processes that share the file. The answer to each write is stored under its key,
 * for as long as the run that made it. Erasing removes the bytes, including those answers.
 */
export class SqliteNotes implements DynamicMemoryStore {
  readonly #db: Database
  readonly #clock: Clock
  readonly #ofScope: Prepared
  readonly #damaged: Prepared
  readonly #isDamaged: Prepared
  readonly #one: Prepared
  readonly #done: Prepared
  readonly #insert: Prepared
  readonly #update: Prepared
  readonly #delete: Prepared
  readonly #answer: Prepared
  readonly #erase: Prepared
  readonly #forget: Prepared

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
    const inScope = 'from notes where scope_kind = ? and scope_id = ?'
    this.#ofScope = db.prepare(`select * ${inScope} and ${wholeIn('notes')}`)
    // Read nothing else of such a row: a number may be out of range.
    this.#damaged = db.prepare(`select n ${inScope} and not ${wholeIn('notes')} order by n`)
    this.#isDamaged = db.prepare(`select n ${inScope} and n = ? and not ${wholeIn('notes')}`)
    this.#one = db.prepare(
      `select *, ${checkedIn('notes')} from notes where n = ? and scope_kind = ? and scope_id = ?`,
    )
    this.#done = db.prepare(
      `select answer_json, ${checkedIn('note_writes')} from note_writes where key = ?`,
    )
    this.#insert = db.prepare(
      `insert into notes
         (scope_kind, scope_id, title, body, created_at, changed_at, changed_n, version)
       values (?, ?, ?, ?, ?, ?, ${NEXT}, 1) returning *`,
    )
    this.#update = db.prepare(
      `update notes set title = ?, body = ?, changed_at = ?, changed_n = ${NEXT},
         version = version + 1 where n = ? returning *`,
    )
    this.#delete = db.prepare('delete from notes where n = ?')
    this.#answer = db.prepare(
      'insert into note_writes (key, scope_kind, scope_id, answer_json) values (?, ?, ?, ?)',
    )
    this.#erase = db.prepare('delete from notes where scope_kind = ? and scope_id = ?')
    this.#forget = db.prepare(
      `update note_writes set answer_json = 'null' where scope_kind = ? and scope_id = ?`,
    )
  }

  async find(
    scopes: readonly NoteScope[],
    query?: string,
    limit?: number,
  ): Promise<readonly MemoryNote[]> {
    const keys = new Set(scopes.map(({ kind, id }) => JSON.stringify([kind, id])))
    const distinct = scopes.filter(({ kind, id }) => keys.delete(JSON.stringify([kind, id])))
    const rows = distinct.flatMap(({ kind, id }) => this.#ofScope.all(kind, id))
    const newest = rows.toSorted((a, b) => Number(b['changed_n']) - Number(a['changed_n']))
    const damaged = distinct.flatMap((scope) =>
      this.#damaged.all(scope.kind, scope.id).map(({ n }) => damagedNote(Number(n), scope)),
    )
    return notesFound([...newest.map(noteOf), ...damaged], query, limit)
  }

  async write(change: NoteChange, key: string): Promise<Answer> {
    const { kind, id } = change.scope
    return this.#db.transaction(() => {
      const done = this.#done.get(key)
      if (done !== undefined) {
        const what = `what a write to the notes of ${id} was answered with`
        const answer: Answer = keptJson(this.#db.path, what, done['answer_json'])
        return answer
      }
      const answer = this.#changed(change)
      this.#answer.run(key, kind, id, JSON.stringify(answer))
      return answer
    })
  }

  /** @throws EchelonError STORE_UNUSABLE if the notes are deleted but bytes of them may be left */
  async erase(scope: NoteScope): Promise<number> {
    const { kind, id } = scope
    const gone = this.#db.transaction(() => {
      this.#forget.run(kind, id)
      return Number(this.#erase.run(kind, id).changes)
    })
    // Also without notes: a retry after a failure must erase the bytes.
    await eraseBytes(this.#db, 'the notes are deleted')
    return gone
  }

  #changed(change: NoteChange): Answer {
    const { kind, id: whose } = change.scope
    const at = this.#clock.now()
    if (change.type === 'create') {
      const { title, text } = change
      return writtenNote(this.#insert.get(kind, whose, title, text, at, at))
    }
    const n = noteNumber(change.id)
    if (change.type === 'delete' && this.#isDamaged.get(kind, whose, n) !== undefined) {
      this.#delete.run(n)
      return damagedNote(n, change.scope)
    }
    const row = this.#one.get(n, kind, whose)
    if (row === undefined) return null
    const note = noteOf(row)
    if (change.type === 'delete') {
      this.#delete.run(n)
      return note
    }
    const { title = note.title, text = note.text, ifVersion = note.version } = change
    if (ifVersion !== note.version) return 'conflict'
    return writtenNote(this.#update.get(title, text, at, n))
  }
}

/** No count gets that far. A damaged one above it would push all later ones out of range. */
const BEYOND_COUNTS = 2 ** 52

/** The number of the next change: the clock may stand still, or go back. */
const NEXT = `(select coalesce(max(changed_n), 0) + 1 from notes where changed_n < ${BEYOND_COUNTS})`

function writtenNote(row: Row | undefined): MemoryNote {
  if (row === undefined) throw new Error('a note that was written must come back')
  return noteOf(row)
}

/** A note that says it is damaged, so that a list of notes shows it. */
const damagedNote = (n: number, { kind, id }: NoteScope): MemoryNote => ({
  id: `n${n}`,
  scope: { kind, id },
  title: '(damaged)',
  text: 'This note is damaged in the store and cannot be read. Delete it, or restore a backup.',
  createdAt: 0,
  changedAt: 0,
  version: 0,
  damaged: true,
})
