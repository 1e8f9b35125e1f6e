import type { AgentSettings, WrapModel } from '../../agents/chat/agent-options.ts'
import type { ModelChoice, ModelSource } from '../../agents/chat/model-binding.ts'
import type { ModelWrapper } from '../../core/agent/agent-services.ts'
import type { CacheStore, Clock, Ids, MemoryStore, SharedStates } from '../../core/agent/ports.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { asLanguageModel } from '../../core/model/language-model.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { ArtifactStore } from '../../core/tool/artifact.ts'
import type { Tool } from '../../core/tool/tool.ts'
import {
  caching as cachingMiddleware,
  type CachingOptions,
  cachingOptionsOf,
} from '../../middleware/cache/caching.ts'
import { normalizerOf } from '../../providers/errors/by-key.ts'
import { createRegistry, type Registry, standardProviders } from '../../providers/registry.ts'
import type { RunRecorder } from '../../replay/run-recorder.ts'
import type { RunReplayer } from '../../replay/run-replayer.ts'
import type { DeciderOptions } from '../decider-options.ts'
import { standardTools } from '../demonstration.ts'
import { configuredModels } from '../models.ts'

/** The agent options that a recording or a replay replaces. */
export interface AgentPorts extends Pick<
  AgentSettings,
  | 'model'
  | 'tools'
  | 'registry'
  | 'journal'
  | 'clock'
  | 'ids'
  | 'artifacts'
  | 'timeZone'
  | 'memory'
  | 'caching'
  | 'sharedStates'
> {
  /** Middleware; the tools it brings are recorded and replayed like the agent's own. */
  readonly use?: readonly Middleware[]
  readonly wrapModel?: readonly WrapModel<never>[]
}

/** The options of an agent, with its ports recorded or replayed. */
export type WithPorts<Options> = Options & {
  readonly model?: ModelChoice
  readonly tools: readonly Tool[]
  readonly registry: Registry
  readonly journal: Journal
}

/** The replacements for an agent's ports. */
export interface World {
  readonly ports: {
    readonly clock?: Clock
    readonly ids?: Ids
    readonly artifacts?: ArtifactStore
    readonly timeZone?: string
  }
  registry(given: ModelSource): Registry
  model(bound: BoundModel): BoundModel
  tool(tool: Tool): Tool
  journal(inner: Journal | undefined): Journal
  memory(inner: MemoryStore): MemoryStore
  cache(inner: CacheStore): CacheStore
  shared(inner: SharedStates, store: string): SharedStates
  /** Wrappers for models that come from elsewhere, such as middleware. */
  readonly within: readonly ModelWrapper[]
  /** Makes a name unique. */
  numbered(name: string): string
}

/** The parts that record or replay every store. */
export const storesOf = (
  at: Pick<RunRecorder | RunReplayer, 'memory' | 'cache' | 'shared' | 'within'> & {
    readonly timeline: Pick<Timed['timeline'], 'numbered'>
  },
): Pick<World, 'memory' | 'cache' | 'shared' | 'within' | 'numbered'> => ({
  memory: (inner) => at.memory(inner),
  cache: (inner) => at.cache(inner),
  shared: (inner, store) => at.shared(inner, store),
  within: at.within,
  numbered: (name) => at.timeline.numbered(name),
})

export function agentIn<Options extends AgentPorts>(
  world: World,
  options: Options,
): WithPorts<Options> {
  const { model, tools = [], use, registry = configuredModels, journal } = options
  const { memory, caching, sharedStates, wrapModel = [] } = options
  const bound = model === undefined ? undefined : modelObject(model)
  return {
    ...options,
    ...world.ports,
    ...(bound !== undefined && { model: world.model(bound) }),
    registry: world.registry(registry),
    tools: tools.map((tool) => world.tool(tool)),
    ...(use && { use: use.map((middleware) => middlewareIn(world, middleware)) }),
    ...(memory && { memory: world.memory(memory) }),
    ...(caching && { caching: cachingIn(world, caching) }),
    ...(sharedStates && { sharedStates: world.shared(sharedStates, world.numbered('agent')) }),
    // Middleware or a switch may bring a model as an object; it is wrapped when called.
    ...(world.within.length > 0 && { wrapModel: [...wrapModel, ...world.within] }),
    journal: world.journal(journal),
  }
}

function middlewareIn(world: World, middleware: Middleware): Middleware {
  const cache = cachingOptionsOf(middleware)
  if (cache !== undefined) return cachingMiddleware(cachingIn(world, cache))
  if (middleware.tools === undefined) return middleware
  return { ...middleware, tools: middleware.tools.map((tool) => world.tool(tool)) }
}

/** An in-memory cache starts empty, since its earlier content is in no recording. */
const cachingIn = (world: World, { store, ...options }: CachingOptions): CachingOptions => ({
  ...options,
  ...(store && { store: world.cache(store) }),
})

export async function deciderIn(world: World, options: DeciderOptions): Promise<DeciderOptions> {
  const { settings, registry = createRegistry(standardProviders), journal } = options
  const tools = options.tools ?? (await standardTools())
  const { timeZone, ...ports } = world.ports
  const { telemetry } = settings ?? {}
  const zone = telemetry?.timezone ?? timeZone
  return {
    ...options,
    ...ports,
    settings: {
      ...settings,
      telemetry: { ...telemetry, ...(zone !== undefined && { timezone: zone }) },
    },
    registry: world.registry(registry),
    tools: tools.map((tool) => world.tool(tool)),
    journal: world.journal(journal),
  }
}

/** A model given as an object; models known by name come from the registry. */
function modelObject(choice: ModelChoice): BoundModel | undefined {
  if (typeof choice === 'string') return undefined
  if ('price' in choice) return choice
  if (!('doGenerate' in choice)) return undefined
  return {
    id: `${choice.provider}/${choice.modelId}`,
    model: asLanguageModel(choice),
    price: () => null,
    normalizeError: normalizerOf(choice.provider),
  }
}

/** A registry whose models come from elsewhere. */
export function asRegistry(source: ModelSource): Registry {
  const all = createRegistry(standardProviders)
  return {
    keys: () => all.keys(),
    list: () => all.list(),
    register: (provider) => all.register(provider),
    resolve: (name, settings) => source.resolve(name, settings),
  }
}

/** Delivers each model when its loading ends, since loading takes time. */
export function timedRegistry(registry: Registry, from: Timed): Registry {
  return {
    ...registry,
    async resolve(name, settings) {
      const key = from.timeline.numbered(`load ${name}`)
      return from.timed(await from.timeline.settle(key, registry.resolve(name, settings)))
    },
  }
}

interface Timed {
  readonly timeline: RunRecorder['timeline'] | RunReplayer['timeline']
  timed(bound: BoundModel): BoundModel
}
