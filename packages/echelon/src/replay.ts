import type { AgentSettings, WrapModel } from './agents/chat/agent-options.ts'
import type { ModelChoice, ModelSource } from './agents/chat/model-binding.ts'
import { configuredModels } from './chat.ts'
import type { ModelWrapper } from './core/agent/agent-services.ts'
import type { ArtifactStore } from './core/tool/artifact.ts'
import type { Journal } from './core/journal/journal.ts'
import type { Json } from './core/value/json.ts'
import type { Layer } from './core/extension/middleware.ts'
import { asLanguageModel } from './core/model/language-model.ts'
import type { BoundModel } from './core/model/model.ts'
import type { CacheStore, Clock, Ids, MemoryStore, SharedStates } from './core/agent/ports.ts'
import type { Tool } from './core/tool/tool.ts'
import type { DeciderOptions } from './decide.ts'
import { systemClock } from './host/clock.ts'
import { systemIds } from './host/ids.ts'
import { HiddenKeys } from './host/recording/hidden-keys.ts'
import { openRecordingFile } from './host/recording/recording-file.ts'
import {
  caching as cachingLayer,
  type CachingOptions,
  cachingOptionsOf,
} from './middleware/cache/caching.ts'
import { normalizerOf } from './providers/errors/by-key.ts'
import { createRegistry, type Registry, standardProviders } from './providers/registry.ts'
import { recordedBound, recordingRegistry } from './providers/tape/recording-registry.ts'
import { replayedBound, replayingRegistry } from './providers/tape/replaying-registry.ts'
import { keyCleaner } from './providers/tape/secrets.ts'
import { ModelTape } from './providers/tape/tape.ts'
import { readLine, TapeWriter } from './providers/tape/tape-line.ts'
import { readRuns } from './replay/read-runs.ts'
import { type ForkOptions, RunFork } from './replay/run-fork.ts'
import { type RecordingSink, RunRecorder } from './replay/run-recorder.ts'
import type { RunRecord } from './replay/run-record.ts'
import { RunReplayer } from './replay/run-replayer.ts'
import { standardTools } from './demonstration.ts'

export type { Likeness } from './replay/comparison.ts'
export type { ForkOptions } from './replay/run-fork.ts'
export type { RecordingSink } from './replay/run-recorder.ts'
export type { RunRecord } from './replay/run-record.ts'
export type { SteeredRun } from './replay/watched-run.ts'

/** What of an agent's options a recording or a replay takes the place of. */
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
  /** Middleware; the tools that it brings are recorded and replayed as the agent's own. */
  readonly use?: readonly Layer[]
  readonly wrapModel?: readonly WrapModel<never>[]
}

/** The options of an agent, with what it touches recorded or replayed. */
export type WithPorts<Options> = Options & {
  readonly model?: ModelChoice
  readonly tools: readonly Tool[]
  readonly registry: Registry
  readonly journal: Journal
}

/** What takes the place of the world. */
interface World {
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
  /** Around a model that comes by none of these. */
  readonly within: readonly ModelWrapper[]
  /** A name that nothing else has. */
  numbered(name: string): string
}

/** What records or replays them all alike. */
const storesOf = (
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

function agentIn<Options extends AgentPorts>(world: World, options: Options): WithPorts<Options> {
  const { model, tools = [], use, registry = configuredModels, journal } = options
  const { memory, caching, sharedStates, wrapModel = [] } = options
  const bound = model === undefined ? undefined : atHand(model)
  return {
    ...options,
    ...world.ports,
    ...(bound !== undefined && { model: world.model(bound) }),
    registry: world.registry(registry),
    tools: tools.map((tool) => world.tool(tool)),
    ...(use && { use: use.map((layer) => layerIn(world, layer)) }),
    ...(memory && { memory: world.memory(memory) }),
    ...(caching && { caching: cachingIn(world, caching) }),
    ...(sharedStates && { sharedStates: world.shared(sharedStates, world.numbered('agent')) }),
    // Middleware, and a switch, may bring a model as an object: it is met where it is called.
    ...(world.within.length > 0 && { wrapModel: [...wrapModel, ...world.within] }),
    journal: world.journal(journal),
  }
}

function layerIn(world: World, layer: Layer): Layer {
  const cache = cachingOptionsOf(layer)
  if (cache !== undefined) return cachingLayer(cachingIn(world, cache))
  if (layer.tools === undefined) return layer
  return { ...layer, tools: layer.tools.map((tool) => world.tool(tool)) }
}

/** A cache of this process begins empty; what it held before is in no recording. */
const cachingIn = (world: World, { store, ...options }: CachingOptions): CachingOptions => ({
  ...options,
  ...(store && { store: world.cache(store) }),
})

async function deciderIn(world: World, options: DeciderOptions): Promise<DeciderOptions> {
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

/** A model that is an object; one that is known by name comes from the registry. */
function atHand(choice: ModelChoice): BoundModel | undefined {
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

/** A registry that has its models from elsewhere. */
function asRegistry(source: ModelSource): Registry {
  const all = createRegistry(standardProviders)
  return {
    keys: () => all.keys(),
    list: () => all.list(),
    register: (provider) => all.register(provider),
    resolve: (name, settings) => source.resolve(name, settings),
  }
}

const asItIs = <Value extends Json>(value: Value): Value => value

// ---- recording ----

export interface RecordOptions {
  /** What the program wants to find in the recording again, such as its own options. Default `null`. */
  readonly about?: Json
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** A recording of whole runs that is being made. */
export interface RunRecording {
  /** The options for `createAgent`. Clock and ids are those of the recording. */
  forAgent<Options extends AgentPorts>(options: Options): WithPorts<Options>
  /** The options for `createDecider`. */
  forDecider(options?: DeciderOptions): Promise<DeciderOptions>
  /**
   * The same run. Steer it by what is given back (`respond`, `hear`, `cancel`), so that what is done
   * to it is on record.
   */
  watch: RunRecorder['watch']
  /** Keeps something for the program's own replay, in order: `record.notes` has it. */
  note(note: Json): void
  /** Ends the recording; says in a sentence what could not be recorded, if anything. */
  close(): string | undefined
}

/**
 * Records whole runs, one after the other or at the same time: what models and tools were asked and
 * answered, time, ids, replies, and the journal. What is written stays, whatever happens next. The
 * file is new or empty, and its owner alone may read it: it holds prompts, answers and files as they
 * were, since a replay must be exact. Keys of providers are hidden, and headers with secrets left out.
 * @param target a path, or where lines go
 * @throws EchelonError INVALID_CONFIG when the file cannot be written, or holds something already
 */
export function recordRun(
  target: string | RecordingSink,
  { about = null, clock = systemClock, ids = systemIds }: RecordOptions = {},
): RunRecording {
  const sink = typeof target === 'string' ? openRecordingFile(target) : target
  const lines = new TapeWriter((line) => recorder.write(line))
  // A key can come in pieces of a stream, which only the tape puts together.
  const keys = new HiddenKeys()
  const clean = keyCleaner(keys)
  const recorder = new RunRecorder({
    sink,
    about,
    clock,
    ids,
    keys,
    tape: (bound) => recordedBound(bound, lines, { name: bound.id, clean, settings: {} }),
  })
  const world: World = {
    ...storesOf(recorder),
    ports: { clock: recorder.clock, ids: recorder.ids },
    registry(given) {
      const source = given === configuredModels ? hidingConfiguredKeys(keys) : given
      const taped = recordingRegistry(asRegistry(source), lines, (used) => {
        keys.add(used)
        return clean
      })
      return timedRegistry(taped, recorder)
    },
    model: (bound) => recorder.model(bound),
    tool: (tool) => recorder.tool(tool),
    journal: (inner) => recorder.journal(inner),
  }
  return {
    forAgent: (options) => agentIn(world, options),
    forDecider: (options = {}) => deciderIn(world, options),
    watch: (run) => recorder.watch(run),
    note: (note) => recorder.note(note),
    close: () => recorder.close(),
  }
}

/** Keys of the configuration never come by the options of an agent. */
const hidingConfiguredKeys = (keys: HiddenKeys): ModelSource => ({
  async resolve(name, settings) {
    if (!name.startsWith('offline/')) keys.add(await configuredKeys())
    return configuredModels.resolve(name, settings)
  },
})

/** A configuration that cannot be read gives none; whoever needs it says so. */
async function configuredKeys(): Promise<readonly string[]> {
  try {
    const { loadConfig } = await import('./config.ts')
    const { providers } = await loadConfig()
    return Object.values(providers).flatMap(({ apiKey }) => apiKey ?? [])
  } catch {
    return []
  }
}

/** Models come when they came: loading one takes its time. */
function timedRegistry(registry: Registry, from: Timed): Registry {
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

// ---- replay ----

/** A recording, ready to be run again without models, tools, network or cost. */
export interface RunReplay extends Omit<RunRecording, 'note' | 'close'> {
  readonly record: RunRecord
  /** How what ran so far compares with the recording: ask when the runs are over. */
  readonly likeness: RunReplayer['likeness']
}

/**
 * Reads a recording and gives the ports to run the same agent again: the same result, events and
 * journal, at once. What was not recorded ends the run with EchelonError UNRECORDED_CALL, which shows
 * the nearest that was; no real model or tool is ever called.
 * @throws EchelonError INVALID_INPUT when the file cannot be read, or is no recording of this version
 */
export async function replayRecording(path: string): Promise<RunReplay> {
  const { record, calls } = await readRuns(path, readLine)
  const tape = new ModelTape(path, calls, { clean: asItIs })
  const models = new Map(tape.models.map((line) => [line.id, line]))
  const replayer = new RunReplayer(record, (id) => {
    const line = models.get(id) ?? { kind: 'model', name: id, id, provider: id, modelId: id }
    return replayedBound(line, tape, {})
  })
  const { clock, ids, artifacts } = replayer
  const timeZone = timeZoneOf(record)
  const world: World = {
    ...storesOf(replayer),
    ports: { clock, ids, artifacts, ...(timeZone !== undefined && { timeZone }) },
    registry: () => timedRegistry(replayingRegistry(tape), replayer),
    model: (bound) => replayer.model(bound),
    tool: (tool) => replayer.tool(tool),
    journal: (inner) => replayer.journal(inner),
  }
  return {
    record,
    forAgent: (options) => agentIn(world, options),
    forDecider: (options = {}) => deciderIn(world, options),
    watch: (run) => replayer.watch(run),
    get likeness() {
      return replayer.likeness
    },
  }
}

function timeZoneOf({ entries }: RunRecord): string | undefined {
  const [first = []] = entries.values()
  const started = first.find((entry) => entry.type === 'started')
  return started?.timeZone
}

// ---- fork ----

/** A recorded run that goes on from one of its steps. */
export interface Fork extends Pick<RunRecording, 'forAgent' | 'forDecider'> {
  readonly record: RunRecord
  /** Of the run to `resume`. */
  readonly runId: string
}

/**
 * A run that goes on from a step of a recorded one: what came before it stands on record, models are
 * live from there on. Tools that read answer from the record where the same call is there, else live.
 * Tools that act answer from the record, each call once; other calls are denied, unless `act` names
 * the tool, which may then do again what was done before the step. Memories are read and written
 * likewise.
 *
 * Make the agent from `forAgent` or `forDecider`, and have it `resume(fork.runId)`.
 * @throws EchelonError INVALID_INPUT for a step or a role that the run has not, UNKNOWN_RUN; a name in
 * `act` that no tool has is refused by `resume`
 */
export async function forkRecording(path: string, options: ForkOptions): Promise<Fork> {
  const { record } = await readRuns(path, readLine)
  const fork = new RunFork(record, systemIds.next(), options)
  const world: World = {
    ports: {},
    registry: asRegistry,
    model: (bound) => bound,
    tool: (tool) => fork.tools.tool(tool),
    journal: (inner) => fork.journal(inner),
    memory: (inner) => fork.tools.memory(inner),
    // These tell how live models do, and what they answered.
    cache: (inner) => inner,
    shared: (inner) => inner,
    within: [],
    numbered: (name) => name,
  }
  return {
    record,
    runId: fork.runId,
    forAgent: (options) => agentIn(world, options),
    forDecider: (options = {}) => deciderIn(world, options),
  }
}
