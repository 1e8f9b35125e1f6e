import type { Amounts } from '../../core/agent/budget.ts'
import type { Listener, RunEvent } from '../../core/agent/event.ts'
import type { Log } from '../../core/observability/log.ts'
import { LOGGED, logRecordOf } from '../../core/observability/log-record.ts'
import { logRuns } from '../../core/observability/log-runs.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { Pipeline } from '../../core/extension/middleware.ts'
import {
  createRedactor,
  DEFAULT_REDACTION,
  redactText,
  type Redactor,
} from '../../core/redaction/redaction.ts'
import { type ModelTimeouts, completeTimeouts } from '../../core/model/model-timeouts.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { caching } from '../../middleware/cache/caching.ts'
import { compose } from '../../middleware/compose.ts'
import { permissions } from '../../middleware/permissions.ts'
import { untrustedText } from '../../middleware/text/untrusted-text.ts'
import { completePolicy } from '../../middleware/reliability/retry-check.ts'
import { MemoryStates } from '../../runtime/memory-states.ts'
import type { Services } from '../../runtime/services.ts'
import { ToolRegistry } from '../../runtime/tools/tool-registry.ts'
import type { AgentParts, AgentPlan, ChatLimits, Logging, Telemetry } from './agent-options.ts'
import { type OriginOf, resultReadTool } from './output/bounded-results.ts'
import { withMiddlewareTools } from './middleware-tools.ts'
import { checkPieces } from './check-options.ts'
import { ChatDefinition } from './chat-definition.ts'
import { MAIN } from './chat-settings.ts'
import { ModelBinding, type ModelChoice, type ModelSource } from './model-binding.ts'
import { type OutputFormat, outputFormat } from './output/output-format.ts'
import { checkLimits } from './plan-check.ts'
import { TurnRecords } from './session/turn-records.ts'
import { type ConfigureOptions, requestOptionsMiddleware } from './request-options.ts'

/** The settings that one run overrides. */
export interface RunDifferences {
  readonly tools?: readonly Tool[]
  readonly use?: readonly Middleware[]
  readonly limits?: ChatLimits
  /** Omitted fields are the agent's. */
  readonly modelTimeouts?: Partial<ModelTimeouts>
  readonly configureOptions?: ConfigureOptions
  readonly output?: Schema<unknown>
}

/** Everything a run starts with. */
export interface RunWorld {
  readonly definition: ChatDefinition
  /** The format of an object answer; `undefined` for text. */
  readonly output: OutputFormat | undefined
  readonly services: Services
  readonly middlewares: readonly Middleware[]
}

interface Loading {
  readonly middlewares: readonly Middleware[]
  readonly registry: ModelSource
}

const NO_SECRETS: readonly string[] = []

/** Maximum keys of switched-to models to redact: each one is searched for in all output. */
const MOST_SECRETS = 64

/** The requirements of an agent's runs: built at its first run and shared by all runs. */
export class ChatEngine {
  readonly binding: ModelBinding
  readonly world: RunWorld
  /** `undefined` if the agent keeps no records. */
  readonly records: TurnRecords | undefined
  readonly #plan: AgentPlan
  readonly #caching: Middleware | undefined
  readonly #permissions: Middleware
  /** `undefined` if the agent turned it off. */
  readonly #untrusted: Middleware | undefined
  /** Its own tools and those that its middleware adds. */
  readonly #tools: readonly Tool[]
  readonly #secrets: ReadonlySet<string>
  /** Keys of models that were switched to, the newest last. */
  #switched: readonly string[] = NO_SECRETS
  /** Created at the first redaction: most agents never switch models and have no listeners. */
  #redactor: Redactor | undefined

  constructor(plan: AgentPlan, parts: AgentParts) {
    const { model, providers = {} } = plan
    const registry = this.#hidingKeys(plan.registry ?? parts.registry)
    this.#plan = plan
    this.#tools = withMiddlewareTools(plan.tools, plan.use)
    this.binding = new ModelBinding(model, {
      source: registry,
      providers,
      normalizerOf: (provider) => parts.normalizerOf(provider),
    })
    this.#secrets = new Set([
      ...Object.values(providers).flatMap(({ apiKey }) => apiKey ?? []),
      ...secretsOf(model),
    ])
    if (plan.caching !== undefined) {
      this.#caching = caching({ hash: (text) => parts.hash(text), ...plan.caching })
    }
    this.#permissions = permissions(plan.permissions)
    if (plan.untrustedText !== false) this.#untrusted = untrustedText(plan.untrustedText)
    this.records = recordsOf(plan, parts, this.#tools)
    const middlewares = this.#middlewaresWith({})
    const output = plan.output && outputFormat(plan.output)
    this.world = {
      definition: definitionOf(plan, this.#tools, output),
      output,
      middlewares,
      services: this.#servicesOf(parts, { middlewares, registry }),
    }
  }

  /** The agent's own world, or one with the overrides of one run. */
  worldFor(differences: RunDifferences): RunWorld {
    const { tools: own = [], use = [], limits, modelTimeouts, configureOptions } = differences
    const { definition, services, middlewares, output: ours } = this.world
    if (limits !== undefined) checkLimits(limits)
    checkPieces(differences)
    const tools = withMiddlewareTools(own, use)
    const asks = tools.some(({ needsApproval, origin }) => needsApproval || origin !== undefined)
    const changesMiddleware = use.length > 0 || configureOptions !== undefined || asks
    const output = differences.output === undefined ? ours : outputFormat(differences.output)
    const decidesOtherwise = tools.length > 0 || output !== ours
    const isAsBuilt = (limits ?? modelTimeouts) === undefined
    if (!decidesOtherwise && isAsBuilt && !changesMiddleware) return this.world
    const all = [...this.#tools, ...tools]
    const itsMiddlewares = changesMiddleware
      ? this.#middlewaresWith({ tools, use, ...(configureOptions && { configureOptions }) })
      : middlewares
    return {
      definition: decidesOtherwise ? definitionOf(this.#plan, all, output) : definition,
      output,
      middlewares: itsMiddlewares,
      services: {
        ...services,
        ...(tools.length > 0 && { tools: registryOf(all) }),
        ...(modelTimeouts && {
          modelTimeouts: completeTimeouts('modelTimeouts', modelTimeouts, services.modelTimeouts),
        }),
        ...(limits && { limits: amountsOf({ ...this.#plan.limits, ...limits }) }),
        ...(changesMiddleware && { pipeline: switching(compose(itsMiddlewares), this.binding) }),
      },
    }
  }

  /** Switches from the next model call on, and redacts the new model's key. */
  switchTo(choice: ModelChoice): Promise<void> {
    return this.binding.switchTo(choice, () => this.#hide(secretsOf(choice)))
  }

  /** The same models. The key of each is hidden before it is used, wherever it was configured. */
  #hidingKeys(source: ModelSource): ModelSource {
    return {
      resolve: async (name, settings) => {
        const bound = await source.resolve(name, settings)
        this.#hide(bound.secrets?.() ?? NO_SECRETS)
        return bound
      },
    }
  }

  /** After very many switches, hides the keys of the newest ones and the initial keys. */
  #hide(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (this.#secrets.has(secret)) continue
      const others = this.#switched.filter((other) => other !== secret)
      this.#switched = [...others, secret].slice(-MOST_SECRETS)
      this.#redactor = undefined
    }
  }

  /**
   * Lists the middleware, outermost first. A run's own callback runs last, and its own middleware is inside
   * the agent's.
   */
  #middlewaresWith(own: RunDifferences): readonly Middleware[] {
    const { configureOptions } = this.#plan
    const use = [...this.#plan.use, ...(own.use ?? [])]
    const callbacks = [configureOptions, own.configureOptions]
    const cache = this.#caching
    const isReplaced = use.some(({ key }) => key === cache?.key)
    return [
      ...callbacks.flatMap((callback) => callback ?? []).map(requestOptionsMiddleware),
      ...(this.#asks(own.tools, use) ? [this.#permissions] : []),
      ...use,
      ...this.#untrustedMiddleware(own.tools, use),
      ...(cache === undefined || isReplaced ? [] : [cache]),
    ]
  }

  /** Whether anything can be asked or denied, and `use` has no permissions middleware for it. */
  #asks(tools: readonly Tool[] = [], use: readonly Middleware[] = []): boolean {
    if (use.some(({ key }) => key === this.#permissions.key)) return false
    if (this.#plan.permissions !== undefined) return true
    return [...this.#tools, ...tools].some(({ needsApproval }) => needsApproval)
  }

  /** The innermost middleware, if any text may be untrusted. */
  #untrustedMiddleware(
    tools: readonly Tool[] = [],
    use: readonly Middleware[] = [],
  ): readonly Middleware[] {
    const middleware = this.#untrusted
    if (middleware === undefined || use.some(({ key }) => key === middleware.key)) return []
    const sources = [...this.#tools, ...tools, ...use]
    const isNeeded =
      this.#plan.untrustedText !== undefined || sources.some(({ origin }) => origin !== undefined)
    return isNeeded ? [middleware] : []
  }

  #makeRedactor(): Redactor {
    if (this.#plan.redact !== undefined) return this.#plan.redact
    const secrets = [...this.#secrets, ...this.#switched]
    if (secrets.length === 0) return redactText
    return createRedactor({ ...DEFAULT_REDACTION, secrets })
  }

  #servicesOf(parts: AgentParts, { middlewares, registry }: Loading): Services {
    const { plan, binding } = { plan: this.#plan, binding: this.binding }
    const { providers = {}, store } = plan
    const { journal = store?.runs, memory = store?.memories } = plan
    return {
      models: binding.models,
      tools: registryOf(this.#tools),
      artifacts: plan.artifacts ?? parts.artifacts,
      clock: plan.clock ?? parts.clock,
      ids: plan.ids ?? parts.ids,
      timeZone: plan.timeZone ?? parts.timeZone(),
      limits: amountsOf(plan.limits ?? {}),
      pipeline: switching(compose(middlewares), binding),
      resolveModel: (name) => registry.resolve(name, providers),
      container: plan.container,
      hash: (text) => parts.hash(text),
      unheard: (message) => parts.unheard(message),
      sharedStates: plan.sharedStates ?? new MemoryStates(),
      redact: (value) => (this.#redactor ??= this.#makeRedactor())(value),
      ...(plan.wrapModel && { wrapModel: plan.wrapModel }),
      ...(plan.tracing && { tracing: plan.tracing }),
      ...(journal && { journal }),
      ...(plan.suspend && { suspend: plan.suspend }),
      ...(memory && { memory }),
      ...(plan.modelTimeouts && {
        modelTimeouts: completeTimeouts('modelTimeouts', plan.modelTimeouts),
      }),
      ...(plan.maxCallsPerStep !== undefined && { maxCallsPerStep: plan.maxCallsPerStep }),
      ...(plan.errorHandling && { retry: completePolicy('errorHandling', plan.errorHandling) }),
      listeners:
        this.records === undefined ? watching(plan) : [...watching(plan), this.records.listener],
    }
  }
}

/** Every run has the reader of cut results; it is offered only after a result was cut. */
const registryOf = (tools: readonly Tool[]): ToolRegistry =>
  new ToolRegistry([...tools, resultReadTool])

function definitionOf(
  { output: _schema, ...plan }: AgentPlan,
  tools: readonly Tool[],
  output: OutputFormat | undefined,
): ChatDefinition {
  const settings = {
    ...plan,
    ...(output && { output }),
    name: plan.name ?? DEFAULT_NAME,
    tools: tools.map(({ name }) => name),
  }
  return new ChatDefinition(settings, originsOf(plan, tools))
}

/** Finds a tool's origin by name, with the overrides of `untrustedText`. */
function originsOf({ untrustedText: options }: AgentPlan, tools: readonly Tool[]): OriginOf {
  if (options === false) return () => undefined
  return (name) => {
    const own = options?.tools?.[name]
    return own === undefined ? tools.find((tool) => tool.name === name)?.origin : (own ?? undefined)
  }
}

/** The name of an agent without one. */
export const DEFAULT_NAME = 'chat'

/** Makes model calls wait for a switch in progress. At all other times the pipeline adds nothing. */
function switching(composed: Pipeline, binding: ModelBinding): Pipeline {
  const { generate: chain } = composed
  const waiting: NonNullable<Pipeline['generate']> = async (call, end, run) => {
    await binding.settled()
    const now = { ...call, modelId: binding.current?.id ?? call.modelId }
    return chain === undefined ? end(now) : chain(now, end, run)
  }
  return Object.freeze({
    ...composed,
    get generate() {
      return binding.isSwitching ? waiting : chain
    },
  })
}

function recordsOf(
  plan: AgentPlan,
  parts: AgentParts,
  tools: readonly Tool[],
): TurnRecords | undefined {
  const { name = DEFAULT_NAME, instructions = null, limits = {}, maxIterations = null } = plan
  if (plan.records === undefined) return undefined
  return new TurnRecords(plan.records, {
    agent: name,
    clock: plan.clock ?? parts.clock,
    timeZone: plan.timeZone ?? parts.timeZone(),
    settings: { instructions, limits, maxIterations, tools: tools.map((tool) => tool.name) },
  })
}

function watching({ telemetry, logging }: AgentPlan): readonly Listener[] {
  return [
    ...(telemetry === undefined ? [] : [asListener(telemetry)]),
    ...(logging === undefined ? [] : [logger(logging)]),
  ]
}

/** One listener per log: agents that share a log and call each other must not write records twice. */
const loggers = new WeakMap<Log['write'], Listener>()

function logger(logging: Logging): Listener {
  if (typeof logging !== 'function') return logRuns(logging)
  const known = loggers.get(logging)
  if (known !== undefined) return known
  const hear = (event: RunEvent): void => {
    const record = logRecordOf(event, true)
    if (record !== undefined) logging(record)
  }
  const listener = { hear, only: LOGGED }
  loggers.set(logging, listener)
  return listener
}

const asListener = (telemetry: Telemetry): Listener =>
  typeof telemetry === 'function' ? { hear: telemetry } : telemetry

function amountsOf({ calls, ...limits }: ChatLimits): Amounts {
  return calls === undefined ? limits : { ...limits, [`calls.${MAIN}`]: calls }
}

const secretsOf = (choice: ModelChoice | undefined): readonly string[] =>
  typeof choice === 'object' && 'apiKey' in choice && choice.apiKey !== undefined
    ? [choice.apiKey]
    : []
