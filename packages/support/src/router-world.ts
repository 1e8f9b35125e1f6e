import type { ArtifactStore } from 'echelon/internal/tool'
import type { Amounts, Clock, Ids, Services } from 'echelon/runtime'
import type { BoundModel } from 'echelon/providers'
import type { Middleware } from 'echelon'
import { redactText } from 'echelon/internal/redaction'
import { compose } from 'echelon/internal/middleware'
import { ToolRegistry } from 'echelon/internal/runtime'
import { callPolicy } from './plugged/call-policy.ts'
import { utc } from './turn/conclusion.ts'
import type { ConversationMemory } from './primitives/conversation-memory.ts'
import type { ShopRecords } from './dialogue/waiting-about.ts'
import type { DataSource } from './primitives/data-source.ts'
import type { IntentsRegistry } from './intents-registry.ts'
import { pluggedMemory } from './plugged/plugged-memory.ts'
import { pluggedTools } from './plugged/plugged-tools.ts'
import type { PolicyEngine } from './primitives/policy-engine.ts'
import { modelOfProvider } from './plugged/provider-model.ts'
import type { RouterOptions, SupportLimits } from './router-options.ts'
import { stageListener } from './plugged/stage-listener.ts'
import type { Role, Rung, SupportSettings } from './turn/support-settings.ts'
import type { SupportInput } from './turn/support-input.ts'
import type { SupportState } from './turn/support-state.ts'
import type { TelemetrySink } from './primitives/telemetry-sink.ts'
import type { ToolExecutor } from './primitives/tool-executor.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import type { Reader } from './understand/reader.ts'

/**
 * The parts that a router uses unless its options give others; supplied by the package's entry and created when
 * needed.
 */
export interface RouterParts {
  readonly clock: Clock
  readonly ids: Ids
  readonly artifacts: ArtifactStore
  readonly timeZone: () => string
  readonly hash: (text: string) => string
  readonly memory: () => ConversationMemory
  readonly dataSource: () => DataSource
  readonly policy: () => PolicyEngine
  readonly executor: (dataSource: DataSource) => ToolExecutor
  readonly intents: () => Promise<IntentsRegistry>
  readonly reader: (intents: IntentsRegistry) => Reader
  readonly knowledge: () => Promise<Knowledge>
  /** Keeps the history sent to a model within this many tokens. */
  readonly shorten: (maxTokens: number) => Middleware
}

const DEFAULT_MAX_ASKS = 3
const DEFAULT_HISTORY_TOKENS = 8000
const ACCEPT: Readonly<Record<Rung, number>> = { embedded: 0.6, small: 0.6, big: 0.3 }

/** Everything that a router needs to answer, prepared on its first message. */
export class RouterWorld {
  readonly memory: ConversationMemory
  readonly settings: SupportSettings
  readonly #dataSource: DataSource
  readonly #executor: ToolExecutor
  readonly #policy: PolicyEngine
  readonly #sinks: readonly TelemetrySink[]
  readonly #models: Readonly<Record<string, BoundModel>>
  readonly #shorten: Middleware
  readonly #options: RouterOptions
  readonly #parts: RouterParts

  private constructor(
    options: RouterOptions,
    parts: RouterParts,
    { registry, knowledge }: Pick<SupportSettings, 'registry' | 'knowledge'>,
  ) {
    this.#options = options
    this.#parts = parts
    this.memory = options.memory ?? parts.memory()
    this.#dataSource = options.dataSource ?? parts.dataSource()
    this.#policy = options.policy ?? parts.policy()
    this.#executor = options.executor ?? parts.executor(this.#dataSource)
    this.#sinks = [options.telemetry ?? []].flat()
    this.#models = modelsOf(options)
    this.#shorten = parts.shorten(options.wording?.maxHistoryTokens ?? DEFAULT_HISTORY_TOKENS)
    const rungs = rungsOf(options)
    const facts = this.#executor.describe()
    const tools = facts.map(({ name }) => name)
    this.settings = {
      registry,
      // It also reads while no model can.
      reader: parts.reader(registry),
      rungs,
      accept: { ...ACCEPT, ...options.understanding?.accept },
      words: wordsOf(options),
      maxAsks: options.maxAsks ?? DEFAULT_MAX_ASKS,
      tools,
      acting: facts.flatMap(({ name, acts = false }) => (acts ? [name] : [])),
      knowledge,
    }
  }

  static async make(options: RouterOptions, parts: RouterParts): Promise<RouterWorld> {
    const registry = options.intents ?? (await parts.intents())
    const knowledge = options.knowledge ?? (await parts.knowledge())
    return new RouterWorld(options, parts, { registry, knowledge })
  }

  /** What the shop knows of a plan that waits. */
  get records(): ShopRecords {
    return {
      registry: this.settings.registry,
      // A queue of many requests must not fail for one order.
      order: (id) => this.#dataSource.getOrder(id).catch(() => null),
    }
  }

  /** The current time, in the format of messages. */
  readonly now = (): string => utc(this.clock.now())

  /** The services that one turn may use. */
  servicesFor(input: SupportInput, standing: () => SupportState): Services {
    const { ids, artifacts, timeZone, hash } = this.#parts
    const { store } = this.#options
    const { sessionId, interaction } = input
    return {
      models: this.#models,
      tools: new ToolRegistry(pluggedTools(this.#executor, standing)),
      artifacts,
      clock: this.clock,
      ids: this.#options.ids ?? ids,
      timeZone: timeZone(),
      limits: amountsOf(this.#options.limits ?? {}),
      pipeline: compose([
        callPolicy({ policy: this.#policy, standing, hash, dataSource: this.#dataSource }),
        this.#shorten,
      ]),
      memory: pluggedMemory({
        memory: this.memory,
        dataSource: this.#dataSource,
        sessionId,
        standing,
      }),
      hash,
      redact: redactText,
      listeners: [stageListener(this.#sinks, { sessionId, interactionId: interaction.id })],
      ...(store && { journal: store.runs }),
    }
  }

  get clock(): Clock {
    return this.#options.clock ?? this.#parts.clock
  }
}

function rungsOf({ llmProvider, understanding = {} }: RouterOptions): readonly Rung[] {
  const { embedded = llmProvider === undefined && understanding.big === undefined, big } =
    understanding
  return [
    ...(embedded ? ['embedded' as const] : []),
    ...(llmProvider ? ['small' as const] : []),
    ...(big ? ['big' as const] : []),
  ]
}

/** The cheapest model words the answers. */
function wordsOf({ llmProvider, understanding, wording = {} }: RouterOptions): Role | null {
  if (wording.natural === false) return null
  if (llmProvider !== undefined) return 'small'
  return understanding?.big === undefined ? null : 'big'
}

function modelsOf({
  llmProvider,
  understanding,
}: RouterOptions): Readonly<Record<string, BoundModel>> {
  return {
    ...(llmProvider && { small: modelOfProvider(llmProvider, 'support/small') }),
    ...(understanding?.big && { big: modelOfProvider(understanding.big, 'support/big') }),
  }
}

function amountsOf({ modelCalls = 12, toolCalls = 30, seconds = 60, usd }: SupportLimits): Amounts {
  return {
    'calls.small': modelCalls,
    'calls.big': modelCalls,
    tools: toolCalls,
    seconds,
    ...(usd !== undefined && { money: usd }),
  }
}
