import type { ModelWrapper } from '../../core/agent/agent-services.ts'
import type { ArtifactStore } from '../../core/tool/artifact.ts'
import type { Listener } from '../../core/agent/event.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { Log } from '../../core/observability/log.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { Immutable } from '../../core/extension/middleware.ts'
import type { BoundModel, NormalizeError, ProviderSettings } from '../../core/model/model.ts'
import type { ModelTimeouts } from '../../core/model/model-timeouts.ts'
import type { Clock, Ids, MemoryStore, SharedStates } from '../../core/agent/ports.ts'
import type { Recorder } from '../../core/observability/run-record.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Store } from '../../core/store/store.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Tracing } from '../../core/observability/tracing.ts'
import type { CachingOptions } from '../../middleware/cache/caching.ts'
import type { PermissionOptions } from '../../middleware/permissions.ts'
import type { UntrustedTextOptions } from '../../middleware/text/untrusted-text.ts'
import type { RetryPolicy } from '../../core/model/retry-policy.ts'
import type { Suspend } from '../../runtime/waits.ts'
import type { ChatSettings } from './chat-settings.ts'
import type { ModelChoice, ModelSource } from './model-binding.ts'
import type { ConfigureOptions } from './request-options.ts'

/** Hard limits of a turn, sub-agents and retries included. An absent limit is unlimited. */
export interface ChatLimits {
  /** US dollars. With this limit, calls of unknown price are refused. */
  readonly money?: number
  /** Tokens in and out. */
  readonly tokens?: number
  /** Working time; waiting for a person does not count. */
  readonly seconds?: number
  /** Tool calls, retries included. */
  readonly tools?: number
  /** Attempts of model calls, retries included. */
  readonly calls?: number
}

/** Receives each event with its run; a `Listener` can also select events. */
export type Telemetry = Listener | Listener['hear']

/** The destination of log records: a function or a log. */
export type Logging = Log | Log['write']

/** Wraps a model; also receives the service container. The first wrapper is outermost. */
export type WrapModel<Container = unknown> = (
  model: BoundModel['model'],
  container: Container,
) => BoundModel['model']

/** The parts of a store that an agent uses. */
export type AgentStore = Pick<Store, 'runs' | 'sessions' | 'memories'>

/** The settings of an agent, except its middleware. */
export interface AgentSettings extends Omit<ChatSettings, 'name' | 'tools' | 'output'> {
  /** Its name in events, journals and sessions. Default `chat`. */
  readonly name?: string
  /** The model. Default: none, and runs are refused. */
  readonly model?: ModelChoice
  /** The tools it may call. Default: none. */
  readonly tools?: readonly Tool[]
  /** Default: no limits. */
  readonly limits?: ChatLimits
  /** Maximum characters of one user text. A longer one is refused. Default 1,000,000. */
  readonly maxInputChars?: number
  /**
   * Telemetry: receives every event of every run. Events are redacted, except those shown to the user:
   * `text-delta`, `output-partial`, `said` and `request-open`. It should not throw: an error is sent to
   * the other listeners as a warning, once per run, and the run continues.
   */
  readonly telemetry?: Telemetry
  /**
   * Tracing: exports runs as spans and metrics, such as `openTelemetry` of `@echelon/telemetry`. A
   * sub-agent without its own uses its parent's. Default: none.
   */
  readonly tracing?: Tracing
  /**
   * Records: who started, acted and approved, and the spending by model; such as `openRecords` of
   * `@echelon/telemetry`. They hold no user text. Default: none.
   */
  readonly records?: Recorder
  /**
   * Logging: a function receives each decision and each error, with content, redacted. A `Log` receives
   * what `logRuns` writes: more decisions, without content. It should not throw, like telemetry.
   */
  readonly logging?: Logging
  /**
   * Caching: answers repeated model calls at no cost. It is the innermost middleware; a caching middleware
   * in `use` replaces it. Default: no cache.
   */
  readonly caching?: CachingOptions
  /**
   * Error handling: how often a failed call is retried. Omitted fields keep their defaults: twice,
   * after 0.5 s and 1 s.
   */
  readonly errorHandling?: Partial<RetryPolicy>
  /**
   * Maximum tool calls in one answer of the model; further ones are refused with an error result.
   * Default 64.
   */
  readonly maxCallsPerStep?: number
  /**
   * Model timeouts: how long a model may be silent, in milliseconds, before its call fails as
   * `timeout`: `answerMs` until an answer, or its first part when streamed (default 300,000); `pauseMs`
   * between two parts (default 120,000). `timeoutMs`, which limits whole calls, replaces both.
   * `Infinity` disables a timeout.
   */
  readonly modelTimeouts?: Partial<ModelTimeouts>
  /** Request options: receives and returns the options of each model call. */
  readonly configureOptions?: ConfigureOptions
  /**
   * Permissions: rules by tool, arguments and caller. They wrap all other middleware. Default: a tool
   * that needs approval asks, and permanent answers are remembered.
   */
  readonly permissions?: PermissionOptions
  /**
   * Untrusted text: `false` neither frames it nor asks before tools act on it. Default: text from tools
   * and middleware with an `origin` is framed, and such tools ask.
   */
  readonly untrustedText?: UntrustedTextOptions | false
  /**
   * Keeps runs, conversations and memories beyond the process, shared by all its users, such as
   * `openStore` of `@echelon/store`. Default: nothing is kept.
   */
  readonly store?: AgentStore
  /** Replaces the store's journal. Without either, runs cannot be resumed. */
  readonly journal?: Journal
  /**
   * Suspends a run that has waited this long only for an answer or a time: `result` rejects with
   * RUN_SUSPENDED, and `resume` continues it in any process. Needs a journal. Default: a run waits in
   * its process indefinitely.
   */
  readonly suspend?: Suspend
  /** Resolves models by name. Default: the standard providers. */
  readonly registry?: ModelSource
  /** Base URLs and API keys, by provider key. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>
  /** Hides secrets and personal data in all observed output. Default: the default policy. */
  readonly redact?: Redactor
  /** Replaces the store's memories. */
  readonly memory?: MemoryStore
  /** Stores the files that tools create. */
  readonly artifacts?: ArtifactStore
  /** Holds states of the scope `shared`. Default: the agent holds them. */
  readonly sharedStates?: SharedStates
  /** IANA name; default that of the machine. */
  readonly timeZone?: string
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** The plain options object of an agent; the builder is another way to write it. */
export interface AgentOptions<
  Middlewares extends readonly Middleware[] = readonly Middleware[],
  Container = unknown,
  Output = unknown,
> extends AgentSettings {
  /**
   * The schema of an object answer: any Standard Schema with a JSON Schema form and synchronous checks.
   * `result` then has the object as `output`, typed by the schema. Default: the answer is text.
   */
  readonly output?: Schema<Output>
  /** Middleware, the first outermost. */
  readonly use?: Middlewares
  /**
   * Shortens long conversations for the model, such as `historyReduction(…)` of `echelon/middleware`. Default: none. This
   * and the two memories are the same as in `use`, inside the others; a state of theirs is typed only there.
   */
  readonly historyReduction?: Middleware
  /** Documents that the agent looks up, such as `knowledge(…)` of `@echelon/knowledge`. Default: none. */
  readonly staticMemory?: Middleware
  /** Notes that the agent reads and writes, such as `dynamicMemory(…)` of `@echelon/knowledge`. Default: none. */
  readonly dynamicMemory?: Middleware
  /** A service container, passed to middleware and `wrapModel` unchanged. */
  readonly services?: Container
  readonly wrapModel?: readonly WrapModel<NoInfer<Container>>[]
}

/** The settings as an agent keeps them, without their types. */
export interface AgentPlan extends AgentSettings {
  readonly use: readonly Middleware[]
  readonly output?: Schema<unknown>
  readonly container?: unknown
  readonly wrapModel?: readonly ModelWrapper[]
}

/** The machine's defaults for what an agent's settings omit. */
export interface AgentParts {
  readonly clock: Clock
  readonly ids: Ids
  readonly registry: ModelSource
  readonly artifacts: ArtifactStore
  /** IANA name. */
  timeZone(): string
  /** SHA-256, hexadecimal. */
  hash(text: string): string
  /** Receives a warning when a run asks and has no listener. */
  unheard(message: string): void
  /** The error normalizer for a model's own provider name, such as `openai.chat`. */
  normalizerOf(provider: string): NormalizeError
}

/**
 * Middleware states by name, as in `result.state.middleware`. States that share a name appear by key,
 * such as `x/counter` and `y/counter`, which the types do not show.
 */
export type StatesOf<Middlewares extends readonly Middleware[]> = {
  readonly [One in Middlewares[number] as Stateful<One>]: One extends Middleware<
    string,
    infer State
  >
    ? Immutable<State>
    : never
}

/** Its name, if it keeps a state whose type is known. */
type Stateful<One extends Middleware> =
  One extends Middleware<infer Name, infer State>
    ? unknown extends State
      ? never
      : [State] extends [undefined]
        ? never
        : Name
    : never
