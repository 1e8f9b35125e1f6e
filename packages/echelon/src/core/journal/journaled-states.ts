import type { Entry, Path, StateChanges } from './journal.ts'
import type { Json } from '../value/json.ts'
import { CONTAINER_VERSION, type StateContainer } from '../state/state.ts'

/**
 * The states of a run at the end of its journal: the initial states with all changes. States of child
 * runs are separate, under their own paths. Undefined for a run that recorded none.
 */
export function recordedStates(
  entries: readonly Entry[],
  path: Path = '',
): StateContainer | undefined {
  let container: StateContainer | undefined
  const states = new Map<string, Json>()
  const begin = (found: StateContainer): void => {
    container = found
    states.clear()
    change(found.states)
  }
  const change = (changes: StateChanges): void => {
    container ??= WITHOUT_VERSIONS
    for (const [key, state] of Object.entries(changes)) states.set(key, state)
  }
  for (const entry of entries) {
    if (entry.type === 'dropped') {
      if (path === '' && entry.snapshot.states !== undefined) begin(entry.snapshot.states)
      continue
    }
    if (pathOf(entry) !== path) continue
    if (entry.type === 'started' || entry.type === 'resumed') {
      if (entry.states !== undefined) begin(entry.states)
    } else if (entry.type === 'settled' || entry.type === 'closed' || entry.type === 'ended') {
      if (entry.states !== undefined) change(entry.states)
    }
  }
  return container === undefined ? undefined : { ...container, states: Object.fromEntries(states) }
}

/** The owners of the states in an entry. */
const pathOf = (entry: Entry): Path => ('path' in entry ? entry.path : undefined) ?? ''

/** The container of a run that did not record its initial states. */
const WITHOUT_VERSIONS: StateContainer = {
  states: {},
  schemaSignature: null,
  schemaVersion: CONTAINER_VERSION,
  stateVersions: null,
}
