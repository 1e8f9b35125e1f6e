import {
  type AnyDefinition,
  isJson,
  type Json,
  type JsonObject,
  type RunEvent,
} from 'echelon/runtime'
import type { Took } from './model-tally.ts'
import type { IntentKeeper, ServedAgent, ServedRun, TurnEnd } from './served-agent.ts'
import { TalliedEvents } from './tallied-events.ts'

/** A turn of the layered assistant, as far as the server uses it. */
interface AssistTurn extends AsyncIterable<RunEvent> {
  readonly id: string
  readonly outcome: Promise<{
    readonly text: string
    readonly isQuestion: boolean
    readonly outcome: string
    readonly problem: { readonly message: string } | null
    readonly plan: unknown
    readonly evaluation: unknown
    readonly why: unknown
  }>
  cancel(): void
}

/** The layered assistant, such as that of `createAssistant` of `@echelon/assist`. */
export interface LayeredAssistant<Session> {
  openSession(id: string, options: { readonly keep: boolean }): Promise<Session>
  run(text: string, options: { readonly session?: Session; readonly runId: string }): AssistTurn
  resume(runId: string): Promise<AssistTurn>
  /** The intents of its users, if they may read and change them here. */
  readonly intents?: IntentKeeper
  /** Its definition, for those who look into its turns. */
  readonly definition?: AnyDefinition
}

export interface ServeAssistantOptions {
  /** Default `assist`. */
  readonly name?: string
  readonly description?: string
  readonly models?: readonly string[]
  readonly tools?: ServedAgent['tools']
  /** The assistant's own limit of a turn in US dollars; 0 without models; `null` for none. */
  readonly maxCost: number | null
}

/** Serves the layered assistant. Its conversations are kept if it was given the server's store. */
export function serveAssistant<Session>(
  assistant: LayeredAssistant<Session>,
  options: ServeAssistantOptions,
): ServedAgent {
  const { name = 'assist', models = [], tools = [], maxCost } = options
  return {
    name,
    definition: 'assist',
    kind: 'assist',
    description:
      options.description ??
      "Helps within its user's intent: drafts that drift from it are pulled back.",
    models,
    tools,
    accepts: { sessions: true, history: false, files: false, tools: false, output: false },
    options: { type: 'object', properties: {}, additionalProperties: false },
    maxCost,
    // The intents of its users are files.
    needsThisMachine: true,
    async start({ text }, { runId, session }) {
      if (session === undefined) return servedTurn(assistant.run(text, { runId }), models)
      const opened = await assistant.openSession(session, { keep: true })
      return servedTurn(assistant.run(text, { session: opened, runId }), models)
    },
    async resume(runId) {
      return servedTurn(await assistant.resume(runId), models)
    },
    definitionOf: () => assistant.definition,
    ...(assistant.intents && { intents: assistant.intents }),
  }
}

function servedTurn(turn: AssistTurn, models: readonly string[]): ServedRun {
  const events = new TalliedEvents(turn[Symbol.asyncIterator]())
  return {
    id: turn.id,
    outcome: turn.outcome.then(async (end) => {
      await events.read
      const { plan, evaluation, why } = end
      const details = { plan: jsonOf(plan), evaluation: jsonOf(evaluation), why: jsonOf(why) }
      return turnEnd(end, { took: events.tally.took(models.at(-1) ?? ''), details })
    }),
    cancel: () => turn.cancel(),
    respond: () => undefined,
    [Symbol.asyncIterator]: () => events,
  }
}

const jsonOf = (value: unknown): Json => (isJson(value) ? value : null)

function turnEnd(
  { text, isQuestion, outcome, problem }: Awaited<AssistTurn['outcome']>,
  { took, details }: { readonly took: Took; readonly details: JsonObject },
): TurnEnd {
  return {
    status: problem !== null ? 'failed' : outcome === 'canceled' ? 'canceled' : 'finished',
    text,
    reason: outcome,
    detail: problem?.message ?? null,
    ...took,
    checked: 'unchecked',
    confidence: null,
    escalated: false,
    needsInput: isQuestion,
    details,
  }
}
