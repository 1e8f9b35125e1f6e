import { type Examined, examineCheckpoint, type StateHolder } from 'echelon/runtime'
import type { StoredCheckpoint } from 'echelon/stores'
import { z } from 'zod'
import { containerSchema, entrySchema } from './entry-schema.ts'
import { problemOf } from './read-checkpoints.ts'

const entriesSchema = z.array(entrySchema)

/** What would happen to something that a store keeps; what cannot be read is refused, and said. */
export function examineStored(stored: StoredCheckpoint, holders: readonly StateHolder[]): Examined {
  const { kind, id, agent } = stored
  if (kind === 'unreadable') return unreadable(stored.of, stored, stored.reason)
  if (kind === 'session') {
    const states = containerSchema.safeParse(stored.states)
    if (!states.success) return unreadable(kind, stored, `its states: ${problemOf(states.error)}`)
    const checkpoint = { kind, id, agent, version: null, states: states.data }
    return examineCheckpoint(checkpoint, holders)
  }
  const entries = entriesSchema.safeParse(stored.entries)
  if (!entries.success) return unreadable(kind, stored, `an entry: ${problemOf(entries.error)}`)
  const [first] = entries.data
  if (first?.type !== 'started') return unreadable(kind, stored, 'its beginning is not on record')
  return examineCheckpoint({ kind, entries: entries.data }, holders)
}

const unreadable = (
  kind: Examined['kind'],
  { id, agent }: Pick<Examined, 'id' | 'agent'>,
  why: string,
): Examined => ({
  kind,
  id,
  agent,
  steps: null,
  ended: false,
  check: { type: 'refused', code: null, reason: `what is stored cannot be read (${why})` },
  changes: [],
  loads: false,
})
