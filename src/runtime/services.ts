import type { ArtifactStore } from '../core/artifact.ts'
import type { Amounts } from '../core/budget.ts'
import type { RunEvent } from '../core/event.ts'
import type { Journal } from '../core/journal.ts'
import type { BoundModel } from '../core/model.ts'
import type { Clock, Ids, MemoryStore } from '../core/ports.ts'
import type { Redactor } from '../core/redaction.ts'
import type { RetryPolicy } from './retry.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** The world as a run may touch it: every effect goes through one of these. */
export interface Services {
  /** Role of an agent to the model that plays it. */
  readonly models: Readonly<Record<string, BoundModel>>
  readonly tools: ToolRegistry
  readonly artifacts: ArtifactStore
  readonly clock: Clock
  readonly ids: Ids
  /** IANA name; dates are read and printed in it. */
  readonly timeZone: string
  /** Hard limits by counter; a counter that is absent is unlimited. */
  readonly limits: Amounts
  /** Without one nothing is recorded, and the run cannot be resumed. */
  readonly journal?: Journal
  readonly memory?: MemoryStore
  /** Default `DEFAULT_RETRY`. */
  readonly retry?: RetryPolicy
  /** Default: the default policy. */
  readonly redact?: Redactor
  /** Hears events, redacted. Must not throw. */
  readonly listener?: (event: RunEvent) => void
  /** Which events the listener hears; default all. What nobody hears costs nothing. */
  readonly hears?: ReadonlySet<RunEvent['type']>
}
