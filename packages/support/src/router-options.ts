import type { Journal, Clock, Ids } from 'echelon/runtime'
import type { BoundModel } from 'echelon/providers'
import type { RunStore } from 'echelon/internal/store'
import type { ConversationMemory } from './primitives/conversation-memory.ts'
import type { DataSource } from './primitives/data-source.ts'
import type { IntentsRegistry } from './intents-registry.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import type { LLMProvider } from './primitives/llm-provider.ts'
import type { PolicyEngine } from './primitives/policy-engine.ts'
import type { TelemetrySink } from './primitives/telemetry-sink.ts'
import type { ToolExecutor } from './primitives/tool-executor.ts'

/** The options of a router. Each of the six primitives can be replaced; each has a default. */
export interface RouterOptions {
  /** Default: in memory. */
  readonly memory?: ConversationMemory
  /** Default: the sample orders and customers, whose changes last as long as the process. */
  readonly dataSource?: DataSource
  /**
   * Classifies, plans and words: a provider, or one of Echelon's models. Without one, only the embedded classifier
   * reads, and templates word.
   */
  readonly llmProvider?: LLMProvider | BoundModel
  /** Default: `NullPolicyEngine`, which allows everything. */
  readonly policy?: PolicyEngine
  /** Default: a `LocalExecutor` on the data source. */
  readonly executor?: ToolExecutor
  /** One or several; default none. */
  readonly telemetry?: TelemetrySink | readonly TelemetrySink[]
  /** Default: those of the `packages/support/config/intents.yaml` that comes with Echelon. */
  readonly intents?: IntentsRegistry
  /** Answers questions about rules and the shop; default: the documents that come with Echelon, and no rules. */
  readonly knowledge?: Knowledge
  readonly understanding?: UnderstandingOptions
  readonly wording?: WordingOptions
  /** Unanswered repetitions of a question before a person takes over; default 3. */
  readonly maxAsks?: number
  /** Hard limits of one interaction. */
  readonly limits?: SupportLimits
  /**
   * Stores interactions, so that an interrupted one resumes, and one delivered again gets the same answer. Without
   * it, only what the memory stores outlives the process.
   */
  readonly store?: { readonly runs: TurnStore }
  /** Default: the system clock. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** Stores turns, such as `runs` of a store. */
export type TurnStore = Journal & Pick<RunStore, 'find' | 'list'>

/** The rungs of understanding, cheapest first; an uncertain reading goes to the next. */
export interface UnderstandingOptions {
  /** Whether the embedded classifier reads first; by default only without a provider. */
  readonly embedded?: boolean
  /** A bigger model for messages that `llmProvider` is not sure of. */
  readonly big?: LLMProvider | BoundModel
  /** Minimum confidence to accept a reading; default 0.6 embedded, 0.6 small, 0.3 big. */
  readonly accept?: { readonly embedded?: number; readonly small?: number; readonly big?: number }
}

export interface WordingOptions {
  /**
   * Whether the model words answers and plans, or only classifies; default true. Its wording is checked: a figure
   * that no result holds makes the template answer instead.
   */
  readonly natural?: boolean
  /** Tokens of history sent to a model before the oldest part is summarized; default 8,000. */
  readonly maxHistoryTokens?: number
}

export interface SupportLimits {
  /** Attempts on the wire, for each rung of a message; default 12. */
  readonly modelCalls?: number
  /** Default 30. */
  readonly toolCalls?: number
  /** Default 60. */
  readonly seconds?: number
  /** US dollars; default none. */
  readonly usd?: number
}
