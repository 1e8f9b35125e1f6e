import type { ModelWrapper } from '../../core/agent/agent-services.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { ProviderSettings } from '../../core/model/model.ts'
import type { Clock, Ids } from '../../core/agent/ports.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Recorder } from '../../core/observability/run-record.ts'
import type { Tracing } from '../../core/observability/tracing.ts'
import type { CachingOptions } from '../../middleware/cache/caching.ts'
import type { PermissionOptions } from '../../middleware/permissions.ts'
import type { RetryPolicy } from '../../core/model/retry-policy.ts'
import type {
  AgentOptions,
  AgentParts,
  AgentPlan,
  AgentSettings,
  AgentStore,
  ChatLimits,
  Logging,
  StatesOf,
  Telemetry,
  WrapModel,
} from './agent-options.ts'
import { Agent } from './chat-agent.ts'
import { checkPlan } from './plan-check.ts'
import type { ModelChoice, ModelSource } from './model-binding.ts'
import type { ConfigureOptions } from './request-options.ts'

/**
 * Builds an agent step by step. Each method returns a new builder, so one can start several agents. A
 * later value replaces an earlier one; tools, middleware and wrappers add up. `build` loads nothing.
 */
export class ChatBuilder<States = unknown, Container = undefined, Output = undefined> {
  readonly #parts: AgentParts
  readonly #plan: AgentPlan
  readonly #container: Container

  constructor(parts: AgentParts, plan: AgentPlan, container: Container) {
    this.#parts = parts
    this.#plan = plan
    this.#container = container
  }

  name(name: string): ChatBuilder<States, Container, Output> {
    return this.set({ name })
  }

  /** Sets the model: `provider/model`, a choice with a key and a base URL, or a model object. */
  model(model: ModelChoice): ChatBuilder<States, Container, Output> {
    return this.set({ model })
  }

  instructions(instructions: string): ChatBuilder<States, Container, Output> {
    return this.set({ instructions })
  }

  tool(tool: Tool): ChatBuilder<States, Container, Output> {
    return this.tools(tool)
  }

  tools(...tools: readonly Tool[]): ChatBuilder<States, Container, Output> {
    // `concat` allocates exactly the space needed; a spread does not.
    return this.set({ tools: (this.#plan.tools ?? NONE).concat(tools) })
  }

  /** Adds middleware, the first outermost. This call also adds the types of their states. */
  use<const Middlewares extends readonly Middleware[]>(
    ...middlewares: Middlewares
  ): ChatBuilder<States & StatesOf<Middlewares>, Container, Output> {
    const plan = { ...this.#plan, use: this.#plan.use.concat(middlewares) }
    return new ChatBuilder<States & StatesOf<Middlewares>, Container, Output>(
      this.#parts,
      plan,
      this.#container,
    )
  }

  /** Makes the answer an object that fits this schema, typed by it. */
  output<Given>(output: Schema<Given>): ChatBuilder<States, Container, Given> {
    const plan = { ...this.#plan, output }
    return new ChatBuilder<States, Container, Given>(this.#parts, plan, this.#container)
  }

  /** Sets the service container for middleware and for wrappers added later. */
  services<Given>(container: Given): ChatBuilder<States, Given, Output> {
    return new ChatBuilder<States, Given, Output>(
      this.#parts,
      { ...this.#plan, container },
      container,
    )
  }

  /** Wraps each model that is called; the first wrapper is outermost. */
  wrapModel(wrap: WrapModel<Container>): ChatBuilder<States, Container, Output> {
    const container = this.#container
    const wrapper: ModelWrapper = (model) => wrap(model, container)
    const plan = { ...this.#plan, wrapModel: [...(this.#plan.wrapModel ?? []), wrapper] }
    return new ChatBuilder<States, Container, Output>(this.#parts, plan, container)
  }

  /** Merges limits; a later value for a counter replaces the earlier one. */
  limits(limits: ChatLimits): ChatBuilder<States, Container, Output> {
    return this.set({ limits: { ...this.#plan.limits, ...limits } })
  }

  /** Sets permission rules by tool, arguments and caller. */
  permissions(permissions: PermissionOptions): ChatBuilder<States, Container, Output> {
    return this.set({ permissions })
  }

  /** @param atLimit what happens when they are used up; default `end` */
  maxIterations(
    maxIterations: number,
    atLimit: 'end' | 'ask' = 'end',
  ): ChatBuilder<States, Container, Output> {
    return this.set({ maxIterations, atLimit })
  }

  configureOptions(configureOptions: ConfigureOptions): ChatBuilder<States, Container, Output> {
    return this.set({ configureOptions })
  }

  telemetry(telemetry: Telemetry): ChatBuilder<States, Container, Output> {
    return this.set({ telemetry })
  }

  /** Exports runs as spans and metrics, such as `openTelemetry` of `@echelon/telemetry`. */
  tracing(tracing: Tracing): ChatBuilder<States, Container, Output> {
    return this.set({ tracing })
  }

  records(records: Recorder): ChatBuilder<States, Container, Output> {
    return this.set({ records })
  }

  logging(logging: Logging): ChatBuilder<States, Container, Output> {
    return this.set({ logging })
  }

  /** Answers repeated model calls at no cost, for five minutes by default. */
  caching(caching: CachingOptions = {}): ChatBuilder<States, Container, Output> {
    return this.set({ caching })
  }

  errorHandling(errorHandling: Partial<RetryPolicy>): ChatBuilder<States, Container, Output> {
    return this.set({ errorHandling })
  }

  /** Keeps runs, conversations and memories beyond the process. */
  store(store: AgentStore): ChatBuilder<States, Container, Output> {
    return this.set({ store })
  }

  journal(journal: Journal): ChatBuilder<States, Container, Output> {
    return this.set({ journal })
  }

  /** Resolves models by name; `providers` holds base URLs and API keys by provider key. */
  registry(
    registry: ModelSource,
    providers?: Readonly<Record<string, ProviderSettings>>,
  ): ChatBuilder<States, Container, Output> {
    return this.set({ registry, ...(providers && { providers }) })
  }

  /** Sets base URLs and API keys, by provider key. */
  providers(
    providers: Readonly<Record<string, ProviderSettings>>,
  ): ChatBuilder<States, Container, Output> {
    return this.set({ providers })
  }

  clock(clock: Clock): ChatBuilder<States, Container, Output> {
    return this.set({ clock })
  }

  ids(ids: Ids): ChatBuilder<States, Container, Output> {
    return this.set({ ids })
  }

  /** Sets any other settings, as in the options object of `createAgent`. */
  set(settings: AgentSettings): ChatBuilder<States, Container, Output> {
    const plan = { ...this.#plan, ...settings }
    return new ChatBuilder<States, Container, Output>(this.#parts, plan, this.#container)
  }

  /**
   * Builds the agent. Checks only what needs no loading: numbers, tool names, middleware that clash, and
   * models given as objects.
   * @throws EchelonError INVALID_CONFIG or INVALID_DEFINITION, with what to do
   */
  build(): Agent<States, Output> {
    checkPlan(this.#plan)
    return new Agent<States, Output>(this.#plan, this.#parts)
  }
}

/**
 * Creates an agent from one plain object.
 * @throws EchelonError as `build` does
 */
export function agentFrom<Middlewares extends readonly Middleware[], Container, Output>(
  options: AgentOptions<Middlewares, Container, Output>,
  parts: AgentParts,
): Agent<StatesOf<Middlewares>, Output> {
  const { services, wrapModel = NONE, use = NONE, ...rest } = options
  const { historyReduction, staticMemory, dynamicMemory, ...settings } = rest
  const container = given(services)
  const named = [historyReduction, staticMemory, dynamicMemory].filter((each) => each !== undefined)
  const plan = {
    ...settings,
    use: named.length === 0 ? use : [...use, ...named],
    ...(services !== undefined && { container }),
    ...(wrapModel.length > 0 && {
      wrapModel: wrapModel.map(
        (wrap): ModelWrapper =>
          (model) =>
            wrap(model, container),
      ),
    }),
  }
  checkPlan(plan)
  return new Agent<StatesOf<Middlewares>, Output>(plan, parts)
}

const NONE: readonly never[] = []

// Without a container its type infers as `undefined`. The overload states this.
function given<Container>(container: Container | undefined): Container
function given(container: unknown): unknown {
  return container
}
