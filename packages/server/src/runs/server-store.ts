import type { Store } from 'echelon/internal/store'

/** The parts of a store that a server uses. */
export type ServerStore = Pick<
  Store,
  'runs' | 'sessions' | 'events' | 'memories' | 'artifacts' | 'results'
>
