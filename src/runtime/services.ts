import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ArtifactStore } from '../core/artifact.ts'
import type { Amounts } from '../core/budget.ts'
import type { RunEvent } from '../core/event.ts'
import type { Journal } from '../core/journal.ts'
import type { Pipeline } from '../core/middleware.ts'
import type { BoundModel } from '../core/model.ts'
import type { Clock, Ids, MemoryStore, SharedStates } from '../core/ports.ts'
import type { Redactor } from '../core/redaction.ts'
import type { RetryPolicy } from './retry.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** A model around another. */
export type ModelWrapper = (model: LanguageModelV4, container: unknown) => LanguageModelV4

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
  /** Default: no middleware. */
  readonly pipeline?: Pipeline
  /** A model by name, for middleware that chooses one. */
  readonly resolveModel?: (name: string) => Promise<BoundModel>
  /** Applied to each model before it is called, the first outermost. */
  readonly wrapModel?: readonly ModelWrapper[]
  /** The builder's container, handed to middleware and wrappers as it is. */
  readonly container?: unknown
  /** SHA-256 of a text, hexadecimal: what binds an approval to its call. */
  readonly hash?: (text: string) => string
  /** Where states of the scope `shared` live; default: with the run, and so not shared. */
  readonly sharedStates?: SharedStates
  /** Without one nothing is recorded, and the run cannot be resumed. */
  readonly journal?: Journal
  readonly memory?: MemoryStore
  /** Default `DEFAULT_RETRY`. */
  readonly retry?: RetryPolicy
  /** Default: the default policy. */
  readonly redact?: Redactor
  /** Told when a run asks and nobody hears it: such a run waits for ever, in silence. */
  readonly unheard?: (message: string) => void
  /** Hears events, redacted. Must not throw. */
  readonly listener?: (event: RunEvent) => void
  /** Which events the listener hears; default all. What nobody hears costs nothing. */
  readonly hears?: ReadonlySet<RunEvent['type']>
}
