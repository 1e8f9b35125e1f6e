import type { AgentServices } from '../core/agent/agent-services.ts'
import type { ArtifactStore } from '../core/tool/artifact.ts'
import type { Amounts } from '../core/agent/budget.ts'
import type { Journal } from '../core/journal/journal.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { Clock, Ids } from '../core/agent/ports.ts'
import type { ToolRegistry } from './tools/tool-registry.ts'
import type { Suspend } from './waits.ts'

/** The services of one run that its tree does not share. */
export interface OwnServices extends AgentServices {
  /** Role to model. */
  readonly models: Readonly<Record<string, BoundModel>>
  readonly tools: ToolRegistry
}

/** All services of a run: every effect goes through one of these. */
export interface Services extends OwnServices {
  readonly artifacts: ArtifactStore
  readonly clock: Clock
  readonly ids: Ids
  /** IANA name; dates are read and printed in it. */
  readonly timeZone: string
  /** Hard limits by counter; a counter that is absent is unlimited. */
  readonly limits: Amounts
  /** Without a journal nothing is recorded, and the run cannot be resumed. */
  readonly journal?: Journal
  /**
   * When to suspend a run that only waits; a resume continues it. Needs a journal. Default: the run
   * waits in its process.
   */
  readonly suspend?: Suspend
  /** Called when a run asks without a listener: it would otherwise wait forever, unnoticed. */
  readonly unheard?: (message: string) => void
}
