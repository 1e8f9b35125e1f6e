import type { BarName, Measured } from './bars.ts'
import { build, switching } from './figures/agents.ts'
import { crowd } from './figures/crowd.ts'
import { delta, deltaWeb } from './figures/deltas.ts'
import { discovery, importEchelon } from './figures/fresh.ts'
import { bytes, growth } from './figures/growth.ts'
import { agentHeap, filterHeap, middlewareHeap, providerHeap, sessionHeap } from './figures/heap.ts'
import { filter, middleware } from './figures/middleware.ts'
import {
  schemaCheck,
  stateFirstRead,
  stateRead,
  stateUpdate,
  stateUpdateOfEight,
} from './figures/states.ts'
import { tracing } from './figures/tracing.ts'
import { givenLong, givenShort, history, step, tools, turn } from './figures/turns.ts'

/**
 * Functions that measure figures, each in its own process. Keys are bars; if one process measures
 * several, the first one.
 */
export const FIGURES: Readonly<Partial<Record<BarName, () => Promise<readonly Measured[]>>>> = {
  turn,
  step,
  tools,
  delta,
  'delta-web': deltaWeb,
  history,
  given: givenShort,
  'given-long': givenLong,
  growth,
  bytes,
  'agent-heap': agentHeap,
  'session-heap': sessionHeap,
  import: importEchelon,
  crowd,
  middleware,
  filter,
  tracing,
  switch: switching,
  'state-read': stateRead,
  'state-update': stateUpdate,
  'state-update-eight': stateUpdateOfEight,
  'state-first-read': stateFirstRead,
  'schema-check': schemaCheck,
  build,
  discovery,
  'provider-heap': providerHeap,
  'middleware-heap': middlewareHeap,
  'filter-heap': filterHeap,
}
