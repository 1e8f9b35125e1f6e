import type { WorksFor } from 'echelon/chat'
import type { NoteScope } from 'echelon/internal/knowledge'

export type ScopeKind = NoteScope['kind']

/** Whose notes a run may see, of those kinds that are asked for: none of a user where none is named. */
export function scopesFor(
  kinds: readonly ScopeKind[],
  { agent, caller, session }: WorksFor,
): readonly NoteScope[] {
  const ids = { user: caller, session, agent }
  return kinds.flatMap((kind) => {
    const id = ids[kind]
    return id === undefined || id === '' ? [] : [{ kind, id }]
  })
}
