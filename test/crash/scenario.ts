import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import { isApproval } from '../../packages/echelon/src/core/agent/permission.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Clock, MemoryStore } from '../../packages/echelon/src/core/agent/ports.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import type { Outside } from './outside.ts'

/** The parts that a process gives a run. */
export interface Surroundings {
  readonly run: string
  readonly journal: Journal
  readonly memories: MemoryStore
  /** Where its journal is, for scenarios with more than one run. */
  readonly store?: Pick<Store, 'runs' | 'sessions' | 'results'>
  readonly outside: Outside
  /** Default: the machine's. */
  readonly clock?: Clock
  /** Where files go. */
  readonly folder: string
  /** Hard limits; absent ones are unlimited. */
  readonly limits: Amounts
}

/** How a run ended. */
export interface End {
  readonly status: string
  readonly reason: string
  readonly result: Json
  readonly spent: Amounts
}

/** Starts an agent's task, or resumes it from its journal. */
export type Scenario = (surroundings: Surroundings) => Promise<End>

/** A run as the person who answers it sees it. */
interface Answerable extends AsyncIterable<RunEvent> {
  respond(request: string, reply: Json): void
}

/** Approves all approval requests, and answers `yes` to everything else. */
export async function answerAll(run: Answerable): Promise<void> {
  for await (const event of run) {
    if (event.type === 'request-open') {
      run.respond(event.request, isApproval(event.about) ? 'once' : 'yes')
    }
  }
}
