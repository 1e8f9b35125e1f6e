import { dirname } from 'node:path'
import { type Agent, createAgent, createDecider } from 'echelon'
import { type Config, firstModelOf, ladderOf } from 'echelon/config'
import type { Decider } from 'echelon/decide'
import { cascade } from 'echelon/middleware'
import { artifactFolder } from 'echelon/runtime'
import { any, format, steps } from 'echelon/verify'
import { serveChat, serveDecider, type ServedAgent, serveSupport } from '@echelon/server'
import {
  createSupportAgent,
  loadPolicies,
  LocalExecutor,
  OrderFacts,
  RulePolicyEngine,
} from '@echelon/support'
import { isPostgresAddress } from '@echelon/store/internal/address'
import { chatTools } from '../chat/chat-tools.ts'
import type { GlobalOptions } from '../configuration.ts'
import { STORE_FILE } from '../default-places.ts'
import { keepRecords, type RecordsChoice } from '../records.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { rungsOf } from '../support/models.ts'
import { openDemoShop } from '../support/shop.ts'
import { assistantAgent } from './assistants.ts'
import type { Io } from '../io.ts'

export interface ServedParts {
  readonly options: GlobalOptions & RecordsChoice
  readonly config: Config
  readonly store: OpenedStore
  /** The store's file. */
  readonly file: string
}

/** The agents of the configuration, as a server offers them. */
export interface StandardAgents {
  readonly agents: readonly ServedAgent[]
  /** For evaluations. */
  readonly decider: Decider
  readonly remarks: readonly string[]
  close(): Promise<void>
}

/** Creates the agents of the configuration on one store. */
export async function standardAgents(io: Io, parts: ServedParts): Promise<StandardAgents> {
  const { config, store, options } = parts
  const records = keepRecords(options, config)
  const tools = (await chatTools({}, config)).tools
  const named = tools.map(({ name, description }) => ({ name, description }))
  const decider = await createDecider({ config, tools, store, ...records.given })
  const support = await supportAgent(io, parts)
  const chat = { config, tools, store, records: records.given }
  const agents = [
    serveDecider(decider, { tools: named, maxCost: config.settings.budget.max_cost_usd }),
    chatAgent(chat),
    ...cascadeAgent(chat),
    support.agent,
    await assistantAgent(io, options, store),
  ]
  return { agents, decider, remarks: records.remarks, close: support.close }
}

interface ChatParts {
  readonly config: Config
  readonly tools: Awaited<ReturnType<typeof chatTools>>['tools']
  readonly store?: OpenedStore
  readonly records?: ReturnType<typeof keepRecords>['given']
}

function chatOptions({ config, tools, store, records }: ChatParts) {
  const { settings, providers, modelTimeouts, run } = config
  const { budget, limits, security, telemetry } = settings
  return {
    tools,
    providers,
    ...(store && { store }),
    ...records,
    ...(modelTimeouts && { modelTimeouts }),
    maxParallelTools: security.max_concurrent_tool_calls,
    artifacts: artifactFolder({
      folder: run.artifacts,
      maxArtifactMb: limits.max_artifact_mb,
      allowedExtensions: security.allowed_file_extensions,
      sanitizeFilenames: security.sanitize_filenames,
    }),
    ...(budget.max_cost_usd !== null && { limits: { money: budget.max_cost_usd } }),
    ...(telemetry.timezone !== null && { timeZone: telemetry.timezone }),
  }
}

/** The chat agent of the configuration. */
export const configuredChat = (parts: ChatParts): Agent =>
  createAgent({
    name: 'chat',
    model: firstModelOf(parts.config.settings.models),
    ...chatOptions(parts),
  })

function chatAgent(parts: ChatParts): ServedAgent {
  const { settings } = parts.config
  const model = firstModelOf(settings.models)
  return serveChat(configuredChat(parts), {
    description: `Answers with tools, on ${model}.`,
    models: [model],
    tools: parts.tools,
    maxCost: settings.budget.max_cost_usd,
  })
}

/** At this confidence, an answer of a smaller model is taken. */
const ACCEPT = 0.8

/** The agent that asks several models of the configuration in turn; `undefined` if there is only one. */
export function configuredCascade(
  parts: ChatParts,
): { readonly agent: Agent; readonly ladder: readonly string[] } | undefined {
  const ladder = [...new Set(ladderOf(parts.config.settings.models))]
  const [model] = ladder
  if (model === undefined || ladder.length < 2) return undefined
  const verify = any([format, steps])
  const use = [cascade(ladder, { verify, accept: ACCEPT })]
  return { agent: createAgent({ name: 'cascade', model, ...chatOptions(parts), use }), ladder }
}

function cascadeAgent(parts: ChatParts): readonly ServedAgent[] {
  const made = configuredCascade(parts)
  if (made === undefined) return []
  const { agent, ladder } = made
  return [
    serveChat(agent, {
      description: `One model made of several: ${ladder.join(', then ')}.`,
      models: ladder,
      tools: parts.tools,
      maxCost: parts.config.settings.budget.max_cost_usd,
    }),
  ]
}

/** A user speaks as the customer of their token. Without tokens, the person at this machine chooses. */
async function supportAgent(
  io: Io,
  { config, options, store, file }: ServedParts,
): Promise<{ agent: ServedAgent; close: () => Promise<void> }> {
  const { small, big, names } = await rungsOf(io, options)
  const shop = await openDemoShop(dirname(isPostgresAddress(file) ? STORE_FILE : file))
  const { source: dataSource, now } = shop
  const agent = await createSupportAgent({
    dataSource,
    policy: new RulePolicyEngine(
      await loadPolicies(),
      new OrderFacts({ dataSource, clock: { now } }),
    ),
    executor: new LocalExecutor(dataSource, {
      enforceIdentity: true,
      now,
      results: store.results,
    }),
    understanding: { embedded: true, ...(big && { big }) },
    ...(small && { llmProvider: small }),
    store,
  })
  return {
    agent: serveSupport(agent, {
      models: names,
      maxCost: names.length === 0 ? 0 : null,
      description:
        'Answers customers about their orders, within the rules; comes with demo orders.',
      customerOf: (caller, asked) =>
        caller === LOCAL
          ? (asked ?? DEMO_CUSTOMER)
          : (config.server.tokens.find(({ name }) => name === caller)?.customer ?? null),
    }),
    close: () => shop.close(),
  }
}

/** The user of a server without tokens. */
const LOCAL = 'local'
const DEMO_CUSTOMER = 'C-001'
