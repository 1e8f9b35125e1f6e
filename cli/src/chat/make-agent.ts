import { randomUUID } from 'node:crypto'
import { createAgent, type Tool } from 'echelon'
import type { Agent, AgentOptions, ModelSource, Session } from 'echelon/chat'
import type { Config } from 'echelon/config'
import {
  defineMiddleware,
  type Middleware,
  type PermissionRule,
  permissions,
  retry,
} from 'echelon/middleware'
import { createRegistry, standardProviders } from 'echelon/providers'
import type { RunRecording } from 'echelon/replay'
import { artifactFolder, type Json } from 'echelon/runtime'
import type { Recorder } from '@echelon/telemetry'
import type { UserFacts } from '@echelon/knowledge'
import { redactorOf } from '../conversation/redactor.ts'
import { keepRecords } from '../records.ts'
import { type OfferedParts, offered, offeredSkill } from '../record/offered-parts.ts'
import { logFor } from '../run/run-log.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { chatOrigin } from '../store/run-origin.ts'
import { chatTools } from './chat-tools.ts'
import { chatConfig } from './chat-config.ts'
import { chatKnowledge } from './chat-knowledge.ts'
import type { AgentChoice } from './agent-choice.ts'
import { chatSkills, type ChatSkills } from './chat-skills.ts'
import type { Io } from '../io.ts'

/** The agent of a chat, with its tools and store. */
export interface Speaker {
  readonly agent: Agent
  readonly tools: readonly Tool[]
  /** Whether a tool needs approval. */
  isAsked(tool: Tool): boolean
  /** Hides secrets in messages of providers and errors. */
  redact(text: string): string
  /** @returns remarks about the records since the last call */
  remarks(): readonly string[]
  /** Describes how to create the agent again, with its current model and server. */
  made(baseUrl: string | undefined): Json
  /** The store of its runs, if there is one. */
  readonly store: OpenedStore | undefined
  /** Opens a conversation, which is stored if there is a store. Default id: a new one. */
  openSession(id?: string): Promise<Session>
  /** Restores a conversation from a file. With a store, it gets a new id. */
  bring(checkpoint: unknown): Promise<Session>
}

/** The environment of a chat's agent. */
export interface Surroundings {
  readonly registry?: ModelSource
  readonly tracing?: AgentOptions['tracing']
  readonly canAsk: boolean
  readonly unasked?: Unasked
  /** Tools besides the built-in ones. */
  readonly moreTools?: readonly Tool[]
  /** Stores runs and conversations; undefined for a recording or replay. */
  readonly store?: OpenedStore | undefined
  /** Records actions and costs; undefined for a replay. */
  readonly records?: Recorder
  /** Records or replays all effects of the agent. */
  readonly world?: (made: ChatMade, brought: OfferedParts) => Pick<RunRecording, 'forAgent'>
  /** Whether the agent is only inspected, which needs no model. */
  readonly isLookedAt?: true
  /** Default: the skills of the named folders. */
  readonly skills?: ChatSkills
  /** Looks documents up; undefined for a replay, whose recording holds the passages. */
  readonly knowledge?: readonly Middleware[]
  /** Facts remembered about the user; undefined for a replay. */
  readonly facts?: UserFacts | undefined
}

/** The configuration of a chat's agent, and its first model. */
export interface ChatMade {
  readonly config: Pick<Config, 'settings' | 'run' | 'providers'> &
    Partial<Pick<Config, 'modelTimeouts'>>
  readonly model: string
}

/**
 * Creates the agent of a chat and loads its model.
 * @throws EchelonError INVALID_INPUT for unknown tools, INVALID_CONFIG, and the errors of loading a
 * model
 */
export async function makeAgent(
  io: Io,
  choice: AgentChoice,
  surroundings: Surroundings,
): Promise<Speaker> {
  const { config, model } = await chatConfig(io, choice)
  const { given, remarks } = keepRecords(choice, config)
  const knowledge = await chatKnowledge(io, choice)
  const lookups = [...knowledge, ...(await remembering(surroundings.facts))]
  const made = { config, model }
  const speaker = await agentOf(io, choice, made, {
    ...surroundings,
    knowledge: lookups,
    ...given,
  })
  let told = 0
  return {
    ...speaker,
    remarks: () => remarks.slice(told, (told = remarks.length)),
  }
}

/** Loads nothing if nothing is remembered. */
async function remembering(facts: UserFacts | undefined): Promise<readonly Middleware[]> {
  if (facts === undefined) return []
  const { rememberedFacts } = await import('@echelon/knowledge')
  return [rememberedFacts({ facts })]
}

/** Creates the agent from a given configuration. */
export async function agentOf(
  io: Io,
  choice: AgentChoice,
  made: ChatMade,
  surroundings: Surroundings,
): Promise<Speaker> {
  const { config, model } = made
  const { tools: own, asked } = await chatTools(choice, config, surroundings.moreTools)
  const skills = surroundings.skills ?? (await chatSkills(io, choice))
  const tools = [...own, ...skills.middlewares.flatMap((middleware) => middleware.tools ?? [])]
  const redact = redactorOf(config)
  const rules = asked.size > 0 ? [askFor([...asked])] : []
  const asks = rules.length > 0 || tools.some(({ needsApproval }) => needsApproval)
  const logging = await logFor(choice)
  const { tracing, records, store, unasked: nobody } = surroundings
  const unasked = asks ? nobody : undefined
  const options: AgentOptions = {
    ...settingsOf(choice, config),
    tools: own,
    redact,
    // An answer that breaks off is requested again, even if part of it was shown.
    use: [
      retry(),
      // Lasting approvals are applied further in, so this goes around them.
      ...(unasked === undefined ? [] : [nobodyAsked(unasked), permissions({ rules })]),
      ...skills.middlewares,
      ...(surroundings.knowledge ?? []),
    ],
    registry: surroundings.registry ?? createRegistry(standardProviders),
    atLimit: surroundings.canAsk ? 'ask' : 'end',
    ...(logging !== undefined && { logging }),
    ...(tracing !== undefined && { tracing }),
    ...(records !== undefined && { records }),
    ...(store !== undefined && { store, telemetry: store.events.listener }),
    ...(rules.length > 0 && { permissions: { rules } }),
  }
  const world = surroundings.world?.(made, await broughtBy(skills, surroundings))
  const agent = createAgent(world?.forAgent(options) ?? options)
  // Load the model now, so that problems show before the first message.
  if (surroundings.isLookedAt !== true) await agent.switchProvider(model)
  return {
    agent,
    tools,
    isAsked: ({ name, needsApproval }) => needsApproval || asked.has(name),
    redact: (text) => redact(text),
    remarks: () => [],
    made(baseUrl) {
      const { baseUrl: _, ...chosen } = choice
      const server = baseUrl === undefined ? {} : { baseUrl }
      const now = { model: agent.model ?? model, canAsk: surroundings.canAsk }
      return chatOrigin({ ...chosen, ...server }, now)
    },
    store,
    openSession: async (id) =>
      store === undefined ? agent.session(id) : agent.openSession(id ?? randomUUID()),
    async bring(checkpoint) {
      const brought = agent.restoreSession(checkpoint, { trusted: true })
      return store === undefined ? brought : keptFrom(brought, agent, store)
    },
  }
}

/** Stores a conversation under a new id, since the stored original may have continued. */
async function keptFrom(brought: Session, agent: Agent, store: OpenedStore): Promise<Session> {
  const { messages, states } = brought.checkpoint()
  const id = randomUUID()
  const whose = { id, agent: agent.name, from: 0, keep: 0, at: Date.now() }
  await store.sessions.save({ ...whose, messages, states, continues: null })
  return agent.openSession(id)
}

const broughtBy = async (
  { skills }: ChatSkills,
  { moreTools = [] }: Surroundings,
): Promise<OfferedParts> => ({
  tools: moreTools.map(offered),
  skills: await Promise.all(skills.map(offeredSkill)),
})

/** Called for a tool that did not run because no one could approve it. */
export type Unasked = (tool: string) => void

/**
 * Denies calls that need approval when no one can be asked. The reason says so, and the denial is
 * not remembered as a decision about the tool.
 */
const nobodyAsked = (unasked: Unasked): Middleware =>
  defineMiddleware({
    name: 'nobody-asked',
    async permit(request, next) {
      const verdict = await next(request)
      if (request.type !== 'call' || verdict.type !== 'ask') return verdict
      unasked(request.call.tool)
      return { type: 'deny', reason: 'it needs approval, and nobody could be asked for it' }
    },
  })()

const askFor = (tools: readonly string[]): PermissionRule => ({
  tools,
  verdict: 'ask',
  reason: 'you wanted to be asked (--ask)',
})

function settingsOf(
  { instructions, maxIterations, maxSeconds }: AgentChoice,
  { settings, run, providers, modelTimeouts }: ChatMade['config'],
): AgentOptions {
  const { budget, limits, security, telemetry } = settings
  return {
    providers,
    ...(modelTimeouts && { modelTimeouts }),
    maxParallelTools: security.max_concurrent_tool_calls,
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
