import type { MemoryNote, NoteScope } from 'echelon/internal/knowledge'

/** The note in a row of the table `notes`. */
export const noteOf = (row: Readonly<Record<string, unknown>>): MemoryNote => ({
  id: `n${Number(row['n'])}`,
  scope: { kind: kindOf(String(row['scope_kind'])), id: String(row['scope_id']) },
  title: String(row['title']),
  text: String(row['body']),
  createdAt: Number(row['created_at']),
  changedAt: Number(row['changed_at']),
  version: Number(row['version']),
})

const kindOf = (kind: string): NoteScope['kind'] =>
  kind === 'user' || kind === 'agent' ? kind : 'session'

/** The row's number by the id of its note; 0, which no row has, for another id. */
export const noteNumber = (id: string): number => Number(/^n([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0)
