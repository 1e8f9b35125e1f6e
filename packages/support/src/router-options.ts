import type { Journal } from 'echelon/runtime'
import type { BoundModel } from 'echelon/providers'
import type { Clock, Ids } from 'echelon/runtime'
import type { RunStore } from 'echelon/internal/store'
import type { ConversationMemory } from './primitives/conversation-memory.ts'
import type { DataSource } from './primitives/data-source.ts'
import type { IntentsRegistry } from './intents-registry.ts'
import type { LLMProvider } from './primitives/llm-provider.ts'
import type { PolicyEngine } from './primitives/policy-engine.ts'
import type { TelemetrySink } from './primitives/telemetry-sink.ts'
import type { ToolExecutor } from './primitives/tool-executor.ts'

/** What a router is made of. Each of the six primitives can be another; each has a default. */
export interface RouterOptions {
  /** Default: in memory. */
  readonly memory?: ConversationMemory
  /** Default: the orders and customers that come with Echelon, of which changes last as long as the process. */
  readonly dataSource?: DataSource
  /**
   * Classifies, plans and words: a provider, or a model of Echelon's as it is. Without one the embedded
   * classifier serves alone, and templates word.
   */
  readonly llmProvider?: LLMProvider | BoundModel
  /** Default: `NullPolicyEngine`, which allows everything. */
  readonly policy?: PolicyEngine
  /** Default: a `LocalExecutor` on the data source. */
  readonly executor?: ToolExecutor
  /** One or several; default none. */
  readonly telemetry?: TelemetrySink | readonly TelemetrySink[]
  /** Default: those of `packages/support/config/intents.yaml` that comes with Echelon. */
  readonly intents?: IntentsRegistry
  readonly understanding?: UnderstandingOptions
  readonly wording?: WordingOptions
  /** How often the same thing is asked in vain before a person takes over; default 3. */
  readonly maxAsks?: number
  /** Hard limits of one interaction. */
  readonly limits?: SupportLimits
  /**
   * Where interactions are on record, so that one that was cut off goes on, and one that is delivered
   * again is answered with what it was answered. Without one nothing outlives the process but what the
   * memory keeps.
   */
  readonly store?: { readonly runs: TurnStore }
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** Where turns are on record: such as `runs` of a store. */
export type TurnStore = Journal & Pick<RunStore, 'find' | 'list'>

/** The rungs of understanding, cheapest first; what one is not sure of goes to the next. */
export interface UnderstandingOptions {
  /** Whether the embedded classifier reads first; default only where there is no provider. */
  readonly embedded?: boolean
  /** A bigger model for what `llmProvider` is not sure of. */
  readonly big?: LLMProvider | BoundModel
  /** From which confidence on a reading is taken; default 0.7 embedded, 0.6 small, 0.3 big. */
  readonly accept?: { readonly embedded?: number; readonly small?: number; readonly big?: number }
}

export interface WordingOptions {
  /**
   * Whether the model words answers and plans, or only classifies; default true. What it words is
   * checked: a figure that no result holds makes it the template's turn.
   */
  readonly natural?: boolean
  /** Tokens of history that a model is sent before the oldest of it is summarised; default 8,000. */
  readonly maxHistoryTokens?: number
}

export interface SupportLimits {
  /** Attempts on the wire, per interaction; default 12. */
  readonly modelCalls?: number
  /** Default 30. */
  readonly toolCalls?: number
  /** Default 60. */
  readonly seconds?: number
  /** US dollars; default none. */
  readonly usd?: number
}
