import { randomUUID } from 'node:crypto'
import { createAgent } from 'echelon'
import type { Agent, AgentOptions, ModelSource, Session } from 'echelon/chat'
import type { Config } from 'echelon/config'
import {
  defineMiddleware,
  type Layer,
  type PermissionRule,
  permissions,
  retry,
} from 'echelon/middleware'
import { createRegistry, standardProviders } from 'echelon/providers'
import type { RunRecording } from 'echelon/replay'
import { artifactFolder, createRedactor, type Json } from 'echelon/runtime'
import type { Recorder } from '@echelon/telemetry'
import type { Tool } from 'echelon'
import { keepRecords } from '../records.ts'
import { type Brought, offered, offeredSkill } from '../record/brought.ts'
import { logFor } from '../run/run-log.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { madeChat } from '../store/made.ts'
import { chatTools } from './chat-tools.ts'
import { chatConfig } from './chat-config.ts'
import { chatKnowledge } from './chat-knowledge.ts'
import type { AgentChoice } from './agent-choice.ts'
import { chatSkills, type ChatSkills } from './chat-skills.ts'
import type { Io } from '../io.ts'

/** An agent to talk to, and what it has. */
export interface Speaker {
  readonly agent: Agent
  readonly tools: readonly Tool[]
  /** Whether a tool is run only when it is approved. */
  isAsked(tool: Tool): boolean
  /** Hides secrets in what providers and problems say. */
  redact(text: string): string
  /** What is to be said of the records since this was last asked. */
  remarks(): readonly string[]
  /** What is needed to make it again, with the model that it has now and the server of that. */
  made(baseUrl: string | undefined): Json
  /** Where its runs are kept, if they are. */
  readonly store: OpenedStore | undefined
  /** A conversation with it: lasting, where there is a store. Without an id a new one. */
  openSession(id?: string): Promise<Session>
  /** A conversation that was brought along in a file; where there is a store a new one of it. */
  bring(checkpoint: unknown): Promise<Session>
}

/** What an agent of a chat is made in. */
export interface Surroundings {
  readonly registry?: ModelSource
  readonly tracing?: AgentOptions['tracing']
  readonly canAsk: boolean
  readonly unasked?: Unasked
  /** Beside those that are built in. */
  readonly moreTools?: readonly Tool[]
  /** Where runs and conversations are kept; nowhere where a recording is made or run again. */
  readonly store?: OpenedStore | undefined
  /** Who keeps records; nobody where a recording is run again. */
  readonly records?: Recorder
  /** Where all that it touches is recorded or replayed. */
  readonly world?: (made: ChatMade, brought: Brought) => Pick<RunRecording, 'forAgent'>
  /** Whether nothing is said to it: it needs no model then. */
  readonly isLookedAt?: true
  /** Default: those of the folders that are named. */
  readonly skills?: ChatSkills
  /** What looks documents up; nothing where a recording is run again, which holds what was found. */
  readonly knowledge?: readonly Layer[]
}

/** The configuration of a chat, as far as its agent goes by it, and the model that begins. */
export interface ChatMade {
  readonly config: Pick<Config, 'settings' | 'run' | 'providers'> &
    Partial<Pick<Config, 'modelTimeouts'>>
  readonly model: string
}

/**
 * The agent of a chat, with its model loaded.
 * @throws EchelonError INVALID_INPUT for names that are no tools, INVALID_CONFIG, and what loading
 * the model throws
 */
export async function makeAgent(
  io: Io,
  choice: AgentChoice,
  surroundings: Surroundings,
): Promise<Speaker> {
  const { config, model } = await chatConfig(io, choice)
  const { given, remarks } = keepRecords(choice, config)
  const knowledge = await chatKnowledge(io, choice)
  const made = { config, model }
  const speaker = await agentOf(io, choice, made, { ...surroundings, knowledge, ...given })
  let told = 0
  return {
    ...speaker,
    remarks: () => remarks.slice(told, (told = remarks.length)),
  }
}

/** The same with a configuration that is known. */
export async function agentOf(
  io: Io,
  choice: AgentChoice,
  made: ChatMade,
  surroundings: Surroundings,
): Promise<Speaker> {
  const { config, model } = made
  const { tools: own, asked } = await chatTools(choice, config, surroundings.moreTools)
  const skills = surroundings.skills ?? (await chatSkills(io, choice))
  const tools = [...own, ...skills.layers.flatMap((layer) => layer.tools ?? [])]
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
    // An answer that broke off is asked for anew, also when some of it was shown.
    use: [
      retry(),
      // What was answered for good is known further in, so that this stands around it.
      ...(unasked === undefined ? [] : [nobodyAsked(unasked), permissions({ rules })]),
      ...skills.layers,
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
  // A model that cannot be had is told before anything is said to it.
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
      return madeChat({ ...chosen, ...server }, now)
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

/** Under an id of its own: what is kept of the conversation may have gone on since. */
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
): Promise<Brought> => ({
  tools: moreTools.map(offered),
  skills: await Promise.all(skills.map(offeredSkill)),
})

/** Hears of a tool that was not run since nobody can be asked. */
export type Unasked = (tool: string) => void

/**
 * Where nobody can be asked a call is denied, and that is why: nobody has ruled the tool out, and
 * the conversation does not remember that anybody did.
 */
const nobodyAsked = (unasked: Unasked): Layer =>
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

/** As a run of decide hides it; a key of the program itself is nobody's to see. */
export function redactorOf({
  settings,
  providers,
}: Pick<Config, 'settings' | 'providers'>): Redactor {
  const { redact_pii, redact_fields: deny, keep_fields: allow } = settings.telemetry
  const secrets = Object.values(providers).flatMap(({ apiKey }) => apiKey ?? [])
  if (!redact_pii) return createRedactor({ deny: [], allow: [], content: false, secrets })
  return createRedactor({ deny, allow, content: true, secrets })
}

type Redactor = ReturnType<typeof createRedactor>
