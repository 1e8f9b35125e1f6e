import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Listener } from './event.ts'
import type { Pipeline } from '../extension/middleware.ts'
import type { BoundModel } from '../model/model.ts'
import type { ModelTimeouts } from '../model/model-timeouts.ts'
import type { MemoryStore, SharedStates } from './ports.ts'
import type { Redactor } from '../redaction/redaction.ts'
import type { RetryPolicy } from '../model/retry-policy.ts'
import type { Tracing } from '../observability/tracing.ts'

/** A model around another. */
export type ModelWrapper = (model: LanguageModelV4, container: unknown) => LanguageModelV4

/** What an agent is built with, and has for itself also where it works in the run of another. */
export interface AgentServices {
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
  readonly memory?: MemoryStore
  /** Default `DEFAULT_RETRY`. */
  readonly retry?: RetryPolicy
  /** How long its models may be silent. Default `DEFAULT_MODEL_TIMEOUTS`. */
  readonly modelTimeouts?: ModelTimeouts
  /** Tool calls that one step may make; further ones are refused. Default 64. */
  readonly maxCallsPerStep?: number
  /** Default: the default policy. */
  readonly redact?: Redactor
  /** Who hears its events, and those of the runs that it begins. What one throws is a warning to the others. */
  readonly listeners?: readonly Listener[]
  /** Follows its runs; a run within a run that has none is followed by that of its parent. */
  readonly tracing?: Tracing
}
