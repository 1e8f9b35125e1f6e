import { ChatBuilder, agentFrom } from './agents/chat/agent-builder.ts'
import type { AgentOptions, AgentParts, StatesOf } from './agents/chat/agent-options.ts'
import type { Agent } from './agents/chat/chat-agent.ts'
import type { ModelSource } from './agents/chat/model-binding.ts'
import type { ArtifactStore } from './core/tool/artifact.ts'
import type { Layer } from './core/extension/middleware.ts'
import type { ProviderSettings } from './core/model/model.ts'
import { sha256 } from './host/hash.ts'
import { systemClock, systemTimeZone } from './host/clock.ts'
import { systemIds } from './host/ids.ts'
import { warnUnheard } from './host/warning.ts'
import { normalizerOf } from './providers/errors/by-key.ts'
import type { Registry } from './providers/registry.ts'
import { withReasoning } from './providers/with-reasoning.ts'

export type {
  AgentOptions,
  AgentSettings,
  AgentStore,
  ChatLimits,
  Logging,
  StatesOf,
  Telemetry,
  WrapModel,
} from './agents/chat/agent-options.ts'
export type { AgentToolOptions } from './agents/chat/agent-tool.ts'
export type {
  Agent,
  ChatForkOptions,
  ChatResumeOptions,
  ChatRunOptions,
  OutputOption,
} from './agents/chat/chat-agent.ts'
export type { ChatEnd, ChatRun } from './agents/chat/chat-run.ts'
export type { Log, LogLevel, LogRecord } from './core/observability/log.ts'
export { checkMessages } from './agents/chat/input/message-check.ts'
export type { ModelChoice, ModelSource, ProviderChoice } from './agents/chat/model-binding.ts'
export type { ConfigureOptions, RequestOptions } from './agents/chat/request-options.ts'
export type { SessionCheckpoint } from './agents/chat/session/checkpoint.ts'
export type { UnfinishedTurn } from './agents/chat/session/kept-conversation.ts'
export type { OpenSessionOptions } from './agents/chat/session/open-session.ts'
export type { RestoreOptions } from './agents/chat/session/session-checkpoint.ts'
export type { Session } from './agents/chat/session/session.ts'
export { defineMiddleware } from './core/extension/define-middleware.ts'
export type { RunEvent } from './core/agent/event.ts'
export type { Layer, MiddlewareContext, MiddlewareSpec } from './core/extension/middleware.ts'
export {
  type ApprovalRequest,
  isApproval,
  type QuestionRequest,
  type RequestAbout,
} from './core/agent/permission.ts'
export { migration } from './core/state/state-migration.ts'
export type { Message } from './core/message/thread.ts'
export {
  defineTool,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolErrorCode,
  type ToolOutcome,
  ToolError,
  type JsonSchemaToolSpec,
  type ToolSpec,
  type WorksFor,
} from './core/tool/tool.ts'

/**
 * Writes an agent down piece by piece:
 * `new AgentBuilder().model('openai/gpt-5-nano').instructions('…').tool(weather).build()`.
 * Keys and addresses of providers come from the configuration (`config.yaml`, `.env`, the
 * environment) unless they are given. Nothing is loaded before the first run.
 */
export class AgentBuilder extends ChatBuilder {
  constructor() {
    super(PARTS, NO_PLAN, undefined)
  }
}

/**
 * The same from one plain object.
 * @throws EchelonError INVALID_CONFIG or INVALID_DEFINITION for what can never work, with what to do
 */
export function createAgent<
  const Layers extends readonly Layer[] = readonly [],
  Container = undefined,
  Output = undefined,
>(options: AgentOptions<Layers, Container, Output>): Agent<StatesOf<Layers>, Output> {
  return agentFrom(options, PARTS)
}

const NO_PLAN = { use: [] }

let standard: Promise<Registry> | undefined

/** One for the program: a provider is loaded once. */
function standardRegistry(): Promise<Registry> {
  return (standard ??= import('./providers/registry.ts').then(
    ({ createRegistry, standardProviders }) => createRegistry(standardProviders),
  ))
}

/**
 * Where agents have models from by name, unless they are told otherwise: the standard providers,
 * with keys and addresses from the configuration. Loads nothing before it is asked.
 */
export const configuredModels: ModelSource = {
  resolve: async (name, given = {}) => {
    const known = await standardRegistry()
    return known.resolve(name, await configured(name, given))
  },
}

/**
 * The same for roles with short answers: a model thinks as little as it can be told to, unless the
 * configuration or what is given says otherwise.
 */
export const briefModels: ModelSource = {
  resolve: async (name, given = {}) => {
    const known = await standardRegistry()
    return known.resolve(name, withReasoning(await configured(name, given), name, 'least'))
  },
}

/** What is given is stronger; a key that is given is sent to no address that a file names. */
async function configured(
  name: string,
  given: Readonly<Record<string, ProviderSettings>>,
): Promise<Readonly<Record<string, ProviderSettings>>> {
  const [key = ''] = name.split('/')
  const own = given[key]
  if (key === 'offline' || own?.apiKey !== undefined) return given
  const { loadConfig } = await import('./config.ts')
  const { providers } = await loadConfig()
  return { ...providers, ...given, [key]: { ...providers[key], ...own } }
}

/** Where tools put files; made when the first file is. */
const artifacts: ArtifactStore = {
  async write(name, content) {
    const { artifactFolder } = await import('./host/measured-artifacts.ts')
    return artifactFolder({ folder: 'artifacts' }).write(name, content)
  },
}

const PARTS: AgentParts = {
  clock: systemClock,
  ids: systemIds,
  registry: configuredModels,
  artifacts,
  timeZone: systemTimeZone,
  hash: sha256,
  unheard: warnUnheard,
  normalizerOf,
}
