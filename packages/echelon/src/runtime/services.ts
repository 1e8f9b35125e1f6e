import type { AgentServices } from '../core/agent/agent-services.ts'
import type { ArtifactStore } from '../core/tool/artifact.ts'
import type { Amounts } from '../core/agent/budget.ts'
import type { Journal } from '../core/journal/journal.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { Clock, Ids } from '../core/agent/ports.ts'
import type { ToolRegistry } from './tools/tool-registry.ts'
import type { Suspend } from './waits.ts'

/** What one run of a tree has for itself. */
export interface OwnServices extends AgentServices {
  /** Role of an agent to the model that plays it. */
  readonly models: Readonly<Record<string, BoundModel>>
  readonly tools: ToolRegistry
}

/** The world as a run may touch it: every effect goes through one of these. */
export interface Services extends OwnServices {
  readonly artifacts: ArtifactStore
  readonly clock: Clock
  readonly ids: Ids
  /** IANA name; dates are read and printed in it. */
  readonly timeZone: string
  /** Hard limits by counter; a counter that is absent is unlimited. */
  readonly limits: Amounts
  /** Without one nothing is recorded, and the run cannot be resumed. */
  readonly journal?: Journal
  /**
   * Lets go of a run that only waits: it is over in this process, and a resume goes on with it.
   * Needs a journal. Default: it waits in its process.
   */
  readonly suspend?: Suspend
  /** Told when a run asks and nobody hears it: such a run waits for ever, in silence. */
  readonly unheard?: (message: string) => void
}
