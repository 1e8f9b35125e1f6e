import { createAgent, EchelonError } from 'echelon'
import type { Agent, AgentOptions, ModelSource } from 'echelon/chat'
import type { Config } from 'echelon/config'
import { type PermissionRule, retry } from 'echelon/middleware'
import { createRegistry, standardProviders } from 'echelon/providers'
import { artifactFolder, createRedactor, DEFAULT_REDACTION } from 'echelon/runtime'
import { standardTools, type Tool } from 'echelon/tools'
import { type ChatConfigOptions, chatConfig } from './chat-config.ts'

/** What the command line may say about the agent of a chat. */
export interface AgentChoice extends ChatConfigOptions {
  readonly instructions?: string
  readonly maxIterations?: number
  readonly maxSeconds?: number
  /** Names of the built-in tools; false for none. */
  readonly tools?: readonly string[] | false
  /** Tools that need approval; `all` for all of them. */
  readonly ask?: readonly string[]
}

/** An agent to talk to, and what it has. */
export interface Speaker {
  readonly agent: Agent
  readonly tools: readonly Tool[]
  /** Whether a tool is run only when it is approved. */
  isAsked(tool: Tool): boolean
  /** Hides secrets in what providers and problems say. */
  redact(text: string): string
}

/**
 * The agent of a chat, with its model loaded.
 * @throws EchelonError INVALID_INPUT for names that are no tools, INVALID_CONFIG, and what loading
 * the model throws
 */
export async function makeAgent(
  choice: AgentChoice,
  surroundings: { readonly registry?: ModelSource; readonly canAsk: boolean },
): Promise<Speaker> {
  const { config, model } = await chatConfig(choice)
  const tools = chosenTools(await standardTools(), choice)
  const asked = askedTools(tools, choice)
  const agent = createAgent({
    ...settingsOf(choice, config),
    tools,
    // An answer that broke off is asked for anew, also when some of it was shown.
    use: [retry()],
    registry: surroundings.registry ?? createRegistry(standardProviders),
    atLimit: surroundings.canAsk ? 'ask' : 'end',
    ...(asked.size > 0 && { permissions: { rules: [askFor([...asked])] } }),
  })
  // A model that cannot be had is told before anything is said to it.
  await agent.switchProvider(model)
  const secrets = Object.values(config.providers).flatMap(({ apiKey }) => apiKey ?? [])
  return {
    agent,
    tools,
    isAsked: ({ name, needsApproval }) => needsApproval || asked.has(name),
    redact: createRedactor({ ...DEFAULT_REDACTION, secrets }),
  }
}

const askFor = (tools: readonly string[]): PermissionRule => ({
  tools,
  verdict: 'ask',
  reason: 'you wanted to be asked (--ask)',
})

function settingsOf(
  { instructions, maxIterations, maxSeconds }: AgentChoice,
  { settings, run, providers }: Config,
): AgentOptions {
  const { budget, limits, security, telemetry } = settings
  return {
    providers,
    artifacts: artifactFolder({
      folder: run.artifacts,
      maxArtifactMb: limits.max_artifact_mb,
      allowedExtensions: security.allowed_file_extensions,
      sanitizeFilenames: security.sanitize_filenames,
    }),
    limits: {
      ...(budget.max_cost_usd !== null && { money: budget.max_cost_usd }),
      ...(maxSeconds !== undefined && { seconds: maxSeconds }),
    },
    ...(telemetry.timezone !== null && { timeZone: telemetry.timezone }),
    ...(instructions !== undefined && { instructions }),
    ...(maxIterations !== undefined && { maxIterations }),
  }
}

function chosenTools(all: readonly Tool[], { tools }: AgentChoice): readonly Tool[] {
  if (tools === undefined) return all
  if (tools === false) return []
  checkNames(tools, all, '--tools')
  return all.filter(({ name }) => tools.includes(name))
}

function askedTools(tools: readonly Tool[], { ask = [] }: AgentChoice): ReadonlySet<string> {
  if (ask.includes('all')) return new Set(tools.map(({ name }) => name))
  checkNames(ask, tools, '--ask')
  return new Set(ask)
}

function checkNames(names: readonly string[], tools: readonly Tool[], option: string): void {
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name))
  if (unknown === undefined) return
  const known = tools.map(({ name }) => name).join(', ')
  throw new EchelonError(
    'INVALID_INPUT',
    `${option} names ${unknown}, and there is no such tool here; ${known === '' ? 'there are none' : `there are ${known}`}`,
  )
}
