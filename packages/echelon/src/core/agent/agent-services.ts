import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Listener } from './event.ts'
import type { Pipeline } from '../extension/middleware.ts'
import type { BoundModel } from '../model/model.ts'
import type { ModelTimeouts } from '../model/model-timeouts.ts'
import type { MemoryStore, SharedStates } from './ports.ts'
import type { Redactor } from '../redaction/redaction.ts'
import type { RetryPolicy } from '../model/retry-policy.ts'
import type { Tracing } from '../observability/tracing.ts'

/** Wraps a model, for example to log or cache its calls. */
export type ModelWrapper = (model: LanguageModelV4, container: unknown) => LanguageModelV4

/** Services of one agent. A sub-agent keeps its own ones inside its parent's run. */
export interface AgentServices {
  /** Default: no middleware. */
  readonly pipeline?: Pipeline
  /** Loads a model by name, for middleware that selects models. */
  readonly resolveModel?: (name: string) => Promise<BoundModel>
  /** Applied to each model before it is called, the first outermost. */
  readonly wrapModel?: readonly ModelWrapper[]
  /** The builder's container, passed unchanged to middleware and wrappers. */
  readonly container?: unknown
  /** SHA-256 of a text, hexadecimal. Binds an approval to its call. */
  readonly hash?: (text: string) => string
  /** Stores states of the scope `shared`. Default: they live in the run and are not shared. */
  readonly sharedStates?: SharedStates
  readonly memory?: MemoryStore
  /** Default `DEFAULT_RETRY`. */
  readonly retry?: RetryPolicy
  /** Maximum time that a model may send nothing. Default `DEFAULT_MODEL_TIMEOUTS`. */
  readonly modelTimeouts?: ModelTimeouts
  /** Maximum tool calls in one step; further calls are refused. Default 64. */
  readonly maxCallsPerStep?: number
  /** Default: the default redaction policy. */
  readonly redact?: Redactor
  /** Receive the events of its runs and of their child runs. If one throws, the others get a warning. */
  readonly listeners?: readonly Listener[]
  /** Traces its runs. A child run without tracing uses its parent's. */
  readonly tracing?: Tracing
}
