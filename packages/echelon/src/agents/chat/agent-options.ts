import type { ModelWrapper } from '../../core/agent/agent-services.ts'
import type { ArtifactStore } from '../../core/tool/artifact.ts'
import type { Listener } from '../../core/agent/event.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { Log } from '../../core/observability/log.ts'
import type { Immutable, Layer } from '../../core/extension/middleware.ts'
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

/** Hard limits of a turn, sub-agents and retries included. What is absent is unlimited. */
export interface ChatLimits {
  /** US dollars. Under this limit a call of unknown price is refused. */
  readonly money?: number
  /** Tokens in and out. */
  readonly tokens?: number
  /** Working time; waiting for a person is free. */
  readonly seconds?: number
  /** Tool calls, retries included. */
  readonly tools?: number
  /** Attempts of model calls, retries included. */
  readonly calls?: number
}

/** Hears events, and of which run; a `Listener` says besides which ones. */
export type Telemetry = Listener | Listener['hear']

/** Where records go: a function, or a log. */
export type Logging = Log | Log['write']

/** A model around another, with the container of services. The first is outermost. */
export type WrapModel<Container = unknown> = (
  model: BoundModel['model'],
  container: Container,
) => BoundModel['model']

/** What of a store an agent uses. */
export type AgentStore = Pick<Store, 'runs' | 'sessions' | 'memories'>

/** All that an agent is made of, but for its middleware. */
export interface AgentSettings extends Omit<ChatSettings, 'name' | 'tools' | 'output'> {
  /** What it is called in events, journals and sessions. Default `chat`. */
  readonly name?: string
  /** What answers. Default: none, and a run is refused. */
  readonly model?: ModelChoice
  /** What it may call. Default none. */
  readonly tools?: readonly Tool[]
  /** Default: no limits. */
  readonly limits?: ChatLimits
  /** Characters of one text that the user says. A longer one is refused. Default 1,000,000. */
  readonly maxInputChars?: number
  /**
   * Telemetry: hears every event of every run, redacted but for those that speak to the user:
   * `text-delta`, `output-partial`, `said` and `request-open` come as they are. Should not throw: what it throws is
   * told as a warning to the others that watch, once a run, and the run goes on.
   */
  readonly telemetry?: Telemetry
  /**
   * Tracing: follows runs as spans and figures, such as `openTelemetry` of `@echelon/telemetry`. As a
   * sub-agent it is traced by its parent's unless it has its own. Default: none.
   */
  readonly tracing?: Tracing
  /**
   * Records: who began, acted, approved, and what was spent, by model; such as `openRecords` of
   * `@echelon/telemetry`. They hold no text of the user's. Default: none.
   */
  readonly records?: Recorder
  /**
   * Logging: hears of each decision and of what went wrong, what was said included, redacted. A `Log`
   * is written what `logRuns` writes: more decisions, and nothing that was said. Should not throw, as
   * telemetry.
   */
  readonly logging?: Logging
  /**
   * Caching: answers what was asked before, for nothing. Stands within all other middleware; a
   * caching layer among those takes its place. Default: nothing is kept.
   */
  readonly caching?: CachingOptions
  /**
   * Error handling: how often a failed call is tried again. What is left out is as by default: twice,
   * after 0.5 s and 1 s.
   */
  readonly errorHandling?: Partial<RetryPolicy>
  /**
   * Tool calls that one answer of the model may ask for; further ones are refused, and the model is told.
   * Default 64.
   */
  readonly maxCallsPerStep?: number
  /**
   * Model timeouts: how long a model may be silent, in milliseconds, before its call fails as
   * `timeout`: `answerMs` until an answer, or its first part where it is streamed (default 300,000);
   * `pauseMs` between two parts (default 120,000). `timeoutMs`, which limits whole calls, takes their
   * place. `Infinity` is no limit.
   */
  readonly modelTimeouts?: Partial<ModelTimeouts>
  /** Request options: sees and returns the options of each model call. */
  readonly configureOptions?: ConfigureOptions
  /**
   * Who may do what: rules by tool, arguments and caller. They stand around all other middleware.
   * Default: a tool that needs approval asks, and what the user answers for good is remembered.
   */
  readonly permissions?: PermissionOptions
  /**
   * Text from outside: `false` neither frames it nor asks before tools act upon it. Default: what tools
   * and middleware with an `origin` bring is framed, and such tools ask.
   */
  readonly untrustedText?: UntrustedTextOptions | false
  /**
   * Where runs, conversations and memories outlive the process, for all that share it, such as
   * `openStore` of `@echelon/store`. Default: nothing outlives it.
   */
  readonly store?: AgentStore
  /** In place of the store's. Without either, runs cannot be resumed. */
  readonly journal?: Journal
  /**
   * Waiting: a run that waits for nothing but an answer or a time, for so long, lets go of its
   * process: `result` rejects with RUN_SUSPENDED, and `resume` goes on with it in whatever process.
   * Needs a journal. Default: a run waits in its process, however long.
   */
  readonly suspend?: Suspend
  /** Where models come from by name. Default: the standard providers. */
  readonly registry?: ModelSource
  /** Where providers find their servers and keys, by the provider's key. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>
  /** What hides secrets and personal data from whoever watches. Default: the default policy. */
  readonly redact?: Redactor
  /** In place of the store's. */
  readonly memory?: MemoryStore
  /** Where tools put files. */
  readonly artifacts?: ArtifactStore
  /** Where states of the scope `shared` live. Default: with the agent. */
  readonly sharedStates?: SharedStates
  /** IANA name; default that of the machine. */
  readonly timeZone?: string
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** The plain object from which an agent is made; the builder is another way to write it. */
export interface AgentOptions<
  Layers extends readonly Layer[] = readonly Layer[],
  Container = unknown,
  Output = unknown,
> extends AgentSettings {
  /**
   * The schema of the answer, of an object: any Standard Schema that has a JSON Schema form and
   * whose checks need not be awaited. `result` then has the object as `output`, typed by it. Default: the answer is text.
   */
  readonly output?: Schema<Output>
  /** Middleware, the first outermost. */
  readonly use?: Layers
  /** A container of services, handed to middleware and to `wrapModel` as it is. */
  readonly services?: Container
  readonly wrapModel?: readonly WrapModel<NoInfer<Container>>[]
}

/** Types done with: what an agent keeps. */
export interface AgentPlan extends AgentSettings {
  readonly use: readonly Layer[]
  readonly output?: Schema<unknown>
  readonly container?: unknown
  readonly wrapModel?: readonly ModelWrapper[]
}

/** What an agent takes from the machine where its settings do not say otherwise. */
export interface AgentParts {
  readonly clock: Clock
  readonly ids: Ids
  readonly registry: ModelSource
  readonly artifacts: ArtifactStore
  /** IANA name. */
  timeZone(): string
  /** SHA-256, hexadecimal. */
  hash(text: string): string
  /** Told of a run that asks while nobody listens. */
  unheard(message: string): void
  /** What the errors of a model mean, by what it calls its provider, such as `openai.chat`. */
  normalizerOf(provider: string): NormalizeError
}

/**
 * The states of middleware by name, as `result.state.middleware` has them. Several of one name are
 * there by key, such as `x/counter` and `y/counter`, which the types do not know.
 */
export type StatesOf<Layers extends readonly Layer[]> = {
  readonly [One in Layers[number] as Stateful<One>]: One extends Layer<string, infer State>
    ? Immutable<State>
    : never
}

/** Its name, if it keeps a state whose type is known. */
type Stateful<One extends Layer> =
  One extends Layer<infer Name, infer State>
    ? unknown extends State
      ? never
      : [State] extends [undefined]
        ? never
        : Name
    : never
