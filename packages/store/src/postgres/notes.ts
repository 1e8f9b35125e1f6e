import type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from 'echelon/internal/knowledge'
import type { Clock } from 'echelon/runtime'
import { noteNumber, noteOf } from '../note-of-row.ts'
import { notesFound } from '../notes-found.ts'
import type { Postgres, Queries, Row } from './connection/database.ts'
import { keptJson } from './kept-json.ts'

type Answer = MemoryNote | null | 'conflict'

/** The order of all changes: the clock may stand still, or go back. */
const NEXT = `nextval('note_changes')`

/**
 * Notes for all processes that share the database. The answer to each write is stored under its key,
 * for as long as the run that made it.
 */
export class PostgresNotes implements DynamicMemoryStore {
  readonly #db: Postgres
  readonly #clock: Clock

  constructor(db: Postgres, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async find(
    scopes: readonly NoteScope[],
    query?: string,
    limit?: number,
  ): Promise<readonly MemoryNote[]> {
    const rows = await this.#db.all(
      `select notes.* from notes
       join (select distinct kind, id from unnest($1::text[], $2::text[]) as given (kind, id)) as asked
         on notes.scope_kind = asked.kind and notes.scope_id = asked.id
       order by changed_n desc`,
      scopes.map(({ kind }) => kind),
      scopes.map(({ id }) => id),
    )
    return notesFound(rows.map(noteOf), query, limit)
  }

  async write(change: NoteChange, key: string): Promise<Answer> {
    const copy = structuredClone(change)
    const { kind, id } = copy.scope
    return this.#db.transaction(async (queries) => {
      // Of two writes of the same key at once, one waits for the other's answer.
      const first = await queries.run(
        `insert into note_writes (key, scope_kind, scope_id, answer_json) values ($1, $2, $3, '')
         on conflict (key) do nothing`,
        key,
        kind,
        id,
      )
      if (first === 0) return this.#answered(queries, key, id)
      const answer = await this.#changed(queries, copy)
      await queries.run(
        'update note_writes set answer_json = $1 where key = $2',
        JSON.stringify(answer),
        key,
      )
      return answer
    })
  }

  async erase({ kind, id }: NoteScope): Promise<number> {
    return this.#db.transaction(async (queries) => {
      await queries.run(
        `update note_writes set answer_json = 'null' where scope_kind = $1 and scope_id = $2`,
        kind,
        id,
      )
      return queries.run('delete from notes where scope_kind = $1 and scope_id = $2', kind, id)
    })
  }

  async #answered(queries: Queries, key: string, whose: string): Promise<Answer> {
    const row = await queries.get('select answer_json from note_writes where key = $1', key)
    const what = `what a write to the notes of ${whose} was answered with`
    const answer: Answer = keptJson(this.#db.place, what, row?.['answer_json'])
    return answer
  }

  async #changed(queries: Queries, change: NoteChange): Promise<Answer> {
    const { kind, id: whose } = change.scope
    const at = this.#clock.now()
    if (change.type === 'create') {
      const { title, text } = change
      const made = await queries.get(
        `insert into notes
           (scope_kind, scope_id, title, body, created_at, changed_at, changed_n, version)
         values ($1, $2, $3, $4, $5, $5, ${NEXT}, 1) returning *`,
        kind,
        whose,
        title,
        text,
        at,
      )
      return writtenNote(made)
    }
    const row = await queries.get(
      'select * from notes where n = $1 and scope_kind = $2 and scope_id = $3 for update',
      noteNumber(change.id),
      kind,
      whose,
    )
    if (row === undefined) return null
    const note = noteOf(row)
    if (change.type === 'delete') {
      await queries.run('delete from notes where n = $1', Number(row['n']))
      return note
    }
    const { title = note.title, text = note.text, ifVersion = note.version } = change
    if (ifVersion !== note.version) return 'conflict'
    const changed = await queries.get(
      `update notes set title = $1, body = $2, changed_at = $3, changed_n = ${NEXT},
         version = version + 1 where n = $4 returning *`,
      title,
      text,
      at,
      Number(row['n']),
    )
    return writtenNote(changed)
  }
}

function writtenNote(row: Row | undefined): MemoryNote {
  if (row === undefined) throw new Error('a note that was written must come back')
  return noteOf(row)
}
