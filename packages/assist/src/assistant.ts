import type {
  Amounts,
  MemoryStore,
  Message,
  Run,
  Services,
  AgentDefinition,
  AnyDefinition,
} from 'echelon/runtime'
import { EchelonError } from 'echelon/internal/value'
import type { BoundModel } from 'echelon/providers'
import { redactText } from 'echelon/internal/redaction'
import { findStarted, readRun, resumeRun, startRun, ToolRegistry } from 'echelon/internal/runtime'
import { ASSIST, assistAgent } from './assist-definition.ts'
import type { AssistResult } from './assist-result.ts'
import { AssistRun } from './session/assist-run.ts'
import { AssistSession } from './session/assist-session.ts'
import { ASSIST_DEFAULTS, ASSIST_ROLES, type AssistRole } from './assist-settings.ts'
import { type AssistInput, type AssistState, isAssistState } from './assist-state.ts'
import type {
  AssistantOptions,
  AssistantParts,
  AssistLimits,
  AssistModel,
} from './assistant-options.ts'
import type { Tool } from 'echelon/chat'
import { lookupsIn, withLookups } from './session/lookup-memory.ts'
import { lockedIntent } from './intent/locked-intent.ts'

export interface AssistRunOptions {
  /** Default: a conversation of this turn only, of which nothing is stored. */
  readonly session?: AssistSession
  /** Default: a new UUID. */
  readonly runId?: string
  /** Aborting it cancels the turn. */
  readonly signal?: AbortSignal
}

export interface AssistSessionOptions {
  /** Whether the conversation is kept when it ends; default false. */
  readonly keep?: boolean
}

/** Characters of one message. */
const LONGEST_TEXT = 20_000

/**
 * An assistant that keeps to its user's intent: intent outranks plan, plan outranks execution, and a draft that
 * drifts is pulled back before it is shown.
 */
export class Assistant {
  readonly #options: AssistantOptions
  readonly #parts: AssistantParts
  readonly #definition: AgentDefinition<AssistInput, AssistState, AssistResult>
  readonly #models: Readonly<Partial<Record<AssistRole, AssistModel>>>
  readonly #bound: Record<string, BoundModel> = {}
  readonly #memory: MemoryStore
  readonly #tools: readonly Tool[]

  constructor(options: AssistantOptions, parts: AssistantParts) {
    this.#options = options
    this.#parts = parts
    this.#models = modelsOf(options)
    const kept = options.memory ?? options.store?.memories ?? parts.memory()
    this.#memory = withLookups(lockedIntent(kept), options)
    this.#tools = readingTools(options.tools ?? [])
    const { readUser, readDraft, reflect, evaluations } = { ...parts, ...given(options) }
    const { maxTokens, maxHistoryBytes, callTimeoutMs } = { ...ASSIST_DEFAULTS, ...given(options) }
    this.#definition = assistAgent({
      roles: ASSIST_ROLES.filter((role) => this.#models[role] !== undefined),
      tools: this.#tools.map(({ name }) => name),
      lookups: lookupsIn(options),
      readUser,
      readDraft,
      reflect,
      evaluations: evaluations ?? ASSIST_DEFAULTS.evaluations,
      maxTokens,
      maxHistoryBytes,
      callTimeoutMs,
    })
  }

  /** The definition of its turns, for inspection and tests. */
  get definition(): AnyDefinition {
    return this.#definition
  }

  /**
   * Opens a conversation, to be passed to each of its turns: `run(text, { session })`. Unless it is to be kept,
   * ending it deletes it.
   * @throws EchelonError INVALID_INPUT for an id that is not text, or the conversation of another agent
   */
  async openSession(
    id: string = this.#ids.next(),
    { keep = false }: AssistSessionOptions = {},
  ): Promise<AssistSession> {
    if (typeof id !== 'string' || id.trim() === '') {
      throw new EchelonError('INVALID_INPUT', 'the id of a session must be text, or left out')
    }
    return AssistSession.open(id, ASSIST.name, { store: this.#options.store, keep })
  }

  /**
   * Starts a turn. Models are loaded on the first one; if that fails, `result` rejects.
   * @throws EchelonError INVALID_INPUT for a text that is empty or longer than 20,000 characters, or a session
   * that has ended; SESSION_BUSY
   */
  run(text: string, { session, runId, signal }: AssistRunOptions = {}): AssistRun {
    if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_TEXT) {
      throw new EchelonError(
        'INVALID_INPUT',
        `give the user’s message as text of 1 to ${LONGEST_TEXT} characters`,
      )
    }
    session?.assertFree()
    const run = startRun(this.#definition, { text }, this.#services(session), {
      prepare: () => this.#prepare(),
      ...(runId !== undefined && { runId }),
      ...(signal && { signal }),
      ...(session && { session: session.view((state) => this.#saidIn(state)) }),
    })
    return this.#followed(run, session)
  }

  /**
   * Resumes an interrupted turn where it stopped; completed steps are not repeated.
   * @param session the session, if already open; default: opened again
   * @throws EchelonError INVALID_CONFIG without a store; UNKNOWN_RUN; SESSION_BUSY
   */
  async resume(runId: string, session?: AssistSession): Promise<AssistRun> {
    const { store } = this.#options
    if (store === undefined) {
      throw new EchelonError(
        'INVALID_CONFIG',
        'the assistant has no store, so none of its turns are stored; give it one',
      )
    }
    const entries = await readRun(store.runs, runId, this.#definition)
    const of = findStarted(this.#definition, entries).session?.id
    const hasEnded = entries.some((entry) => entry.type === 'ended' && entry.path === '')
    const opened =
      session ?? (of === undefined ? undefined : await this.openSession(of, { keep: true }))
    opened?.assertFree()
    const run = resumeRun(this.#definition, entries, {
      services: this.#services(opened),
      prepare: () => this.#prepare(),
      ...(opened && { session: opened.view((state) => this.#saidIn(state)) }),
    })
    return this.#followed(run, hasEnded ? undefined : opened)
  }

  #followed(run: Run<AssistResult, AssistState>, session: AssistSession | undefined): AssistRun {
    const said = run.result.then(() => this.#saidIn(run.state))
    const after = session?.follow(run.id, said)
    // The run reports the error to its caller.
    if (after === undefined) said.catch(nobodyWaits)
    return new AssistRun(run, after)
  }

  #saidIn(state: unknown): readonly Message[] {
    return isAssistState(state) ? (this.#definition.transcript?.(state) ?? []) : []
  }

  async #prepare(): Promise<void> {
    for (const role of ASSIST_ROLES) {
      const model = this.#models[role]
      if (model !== undefined) this.#bound[role] ??= await this.#parts.load(model)
    }
  }

  #services(session: AssistSession | undefined): Services {
    const { artifacts, timeZone, hash } = this.#parts
    const { store, listeners, limits = {} } = this.#options
    return {
      models: this.#bound,
      tools: new ToolRegistry(this.#tools),
      artifacts,
      clock: this.#options.clock ?? this.#parts.clock,
      ids: this.#ids,
      timeZone: timeZone(),
      limits: amountsOf(limits, this.#tools.length > 0),
      memory: this.#memory,
      hash,
      redact: redactText,
      ...(listeners && { listeners }),
      // A turn without a conversation stores nothing.
      ...(store && session && { journal: store.runs }),
    }
  }

  get #ids(): AssistantParts['ids'] {
    return this.#options.ids ?? this.#parts.ids
  }
}

/** @throws EchelonError INVALID_CONFIG for a tool that acts */
function readingTools(tools: readonly Tool[]): readonly Tool[] {
  const acting = tools.find(({ does, mayAct }) => does !== 'reads' || mayAct === true)
  if (acting === undefined) return tools
  throw new EchelonError(
    'INVALID_CONFIG',
    `the tool ${acting.name} may act, and the assistant's tools may only read; give it to a chat agent`,
  )
}

const nobodyWaits = (): void => undefined

/** The given options; an `undefined` one does not replace a default. */
const given = (options: AssistantOptions): AssistantOptions => {
  const said = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said)
}

function modelsOf(options: AssistantOptions): Readonly<Partial<Record<AssistRole, AssistModel>>> {
  const { model } = options
  const of = (role: AssistRole): AssistModel | undefined =>
    options[role] === undefined ? model : (options[role] ?? undefined)
  const models: Partial<Record<AssistRole, AssistModel>> = {}
  for (const role of ASSIST_ROLES) {
    const own = of(role)
    if (own !== undefined) models[role] = own
  }
  return models
}

const MODEL_CALLS = 6
const SECONDS = 120

function amountsOf(
  { modelCalls, seconds = SECONDS, usd }: AssistLimits,
  hasTools: boolean,
): Amounts {
  const most = modelCalls ?? (hasTools ? 2 * MODEL_CALLS : MODEL_CALLS)
  const calls = ASSIST_ROLES.map((role) => [`calls.${role}`, most] as const)
  return { ...Object.fromEntries(calls), seconds, ...(usd !== undefined && { money: usd }) }
}
