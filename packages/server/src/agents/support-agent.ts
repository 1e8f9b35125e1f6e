import type { ApprovalAbout } from 'echelon/client'
import {
  isJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type RunEvent,
  type Started,
  type StateHolder,
} from 'echelon/runtime'
import { storedSession } from '../access/principal.ts'
import type { Took } from './model-tally.ts'
import type { ServedAgent, ServedRun, TurnEnd } from './served-agent.ts'
import { TalliedEvents } from './tallied-events.ts'

/** A turn of a support agent, as far as the server uses it. */
interface SupportTurn extends AsyncIterable<RunEvent> {
  readonly id: string
  readonly response: Promise<{
    readonly text: string
    readonly needsUserInput: boolean
    readonly missingParam: string | null
    readonly execution: unknown
  }>
  cancel(): void
}

interface WaitingPlan {
  readonly planId: string
  readonly toolName: string
  readonly params: JsonObject
  readonly about?: ApprovalAbout
  readonly since: string | null
  readonly runId: string
}

/** A support agent, such as that of `createSupportAgent` of `@echelon/support`. */
export interface SupportAgent {
  start(
    interaction: {
      readonly id: string
      readonly text: string
      readonly customerId: string | null
      readonly context: JsonObject
    },
    session: string,
  ): Promise<SupportTurn>
  /** The run of a turn that has ended, from the store. */
  readonly ended?: (runId: string) => Promise<SupportTurn>
  /** Plans of a conversation that wait for a colleague. */
  readonly waiting?: (session: string) => Promise<readonly WaitingPlan[]>
  /** Records what a colleague decided; an approved plan is executed. */
  readonly startReview?: (
    session: string,
    review: { readonly planId: string; readonly approved: boolean; readonly by: string },
  ) => Promise<SupportTurn>
  /** Its definition, for those who look into its turns. */
  holder?(): Promise<Pick<StateHolder, 'definition'>>
}

export interface ServeSupportOptions {
  /** Default `support`. */
  readonly name?: string
  readonly description?: string
  readonly models?: readonly string[]
  readonly tools?: ServedAgent['tools']
  /** The agent's own limit of a turn in US dollars; 0 without models; `null` for none. */
  readonly maxCost: number | null
  /**
   * The customer that a user of the server speaks as. It decides whose orders are seen, so it never comes from
   * the request alone: for instance, the token of each customer's session.
   */
  customerOf(caller: string, asked: string | null): string | null
}

/** Serves a support agent. Its conversations are kept if it was given the server's store. */
export function serveSupport(agent: SupportAgent, options: ServeSupportOptions): ServedAgent {
  const { name = 'support', models = [], tools = [], maxCost } = options
  return {
    name,
    definition: 'support',
    kind: 'support',
    description: options.description ?? 'Answers customers about their orders, within the rules.',
    models,
    tools,
    accepts: { sessions: true, history: false, files: false, tools: false, output: false },
    options: OPTIONS,
    maxCost,
    async start({ text, options: given = {} }, { runId, session, caller }) {
      const { customer_id: asked, channel = 'chat' } = given
      const customerId = options.customerOf(caller, typeof asked === 'string' ? asked : null)
      const interaction = { id: runId, text, customerId, context: { channel } }
      // Its owner is known by its conversation: these runs hold no `made`.
      const conversation = session ?? storedSession({ name: caller }, name, runId)
      return servedTurn(await agent.start(interaction, conversation), models)
    },
    // As `StoreConversationMemory` of `@echelon/support` does.
    keptUnder: 'support:',
    ...endReaderOf(agent, models),
    ...reviewsOf(agent, models),
    async definitionOf(started: Started) {
      const { definition } = (await agent.holder?.()) ?? {}
      return typeof definition === 'function' ? definition(started) : definition
    },
  }
}

const OPTIONS: JsonObject = {
  type: 'object',
  properties: {
    customer_id: {
      type: 'string',
      description: 'The customer who speaks, where the server allows it',
    },
    channel: { type: 'string', description: 'Where the customer speaks from; default chat' },
  },
  additionalProperties: false,
}

function endReaderOf(agent: SupportAgent, models: readonly string[]): Pick<ServedAgent, 'endOf'> {
  const { ended } = agent
  if (ended === undefined) return {}
  return {
    endOf: async (runId) => servedTurn(await ended.call(agent, runId), models).outcome,
  }
}

function reviewsOf(agent: SupportAgent, models: readonly string[]): Pick<ServedAgent, 'reviews'> {
  const { waiting, startReview } = agent
  if (waiting === undefined || startReview === undefined) return {}
  return {
    reviews: {
      waiting: async (session) =>
        (await waiting.call(agent, session)).map(
          ({ planId: id, toolName: tool, params: input, about = null, since, runId: run }) => ({
            id,
            run,
            tool,
            input,
            about,
            since,
          }),
        ),
      decide: async (session, { id, approved, by }) =>
        servedTurn(await startReview.call(agent, session, { planId: id, approved, by }), models),
    },
  }
}

function servedTurn(turn: SupportTurn, models: readonly string[]): ServedRun {
  const events = new TalliedEvents(turn[Symbol.asyncIterator]())
  return {
    id: turn.id,
    outcome: turn.response.then(async ({ text, needsUserInput, missingParam, execution }) => {
      await events.read
      return turnEnd({
        text,
        needsUserInput,
        took: events.tally.took(models.at(-1) ?? ''),
        details: { missing_param: missingParam, execution: jsonOf(execution) },
      })
    }),
    cancel: () => turn.cancel(),
    respond: () => undefined,
    [Symbol.asyncIterator]: () => events,
  }
}

const jsonOf = (value: unknown): Json => (isJson(value) ? value : null)

const turnEnd = (end: {
  readonly text: string
  readonly needsUserInput: boolean
  readonly took: Took
  readonly details: JsonObject
}): TurnEnd => ({
  status: 'finished',
  text: end.text,
  reason: reasonIn(end.details) ?? 'answered',
  detail: null,
  ...end.took,
  checked: 'unchecked',
  confidence: null,
  escalated: end.took.rungs.length > 1,
  needsInput: end.needsUserInput,
  details: end.details,
})

/** The state of the plan, such as `completed` or `blocked`. */
function reasonIn({ execution }: JsonObject): string | undefined {
  const status =
    execution !== undefined && isJsonObject(execution) ? execution['status'] : undefined
  return typeof status === 'string' ? status : undefined
}
