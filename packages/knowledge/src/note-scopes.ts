import type { WorksFor } from 'echelon/chat'
import type { NoteScope } from 'echelon/internal/knowledge'

export type ScopeKind = NoteScope['kind']

/** The scopes of these kinds that a run may see: no user scope without a user. */
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
