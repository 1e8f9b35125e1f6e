import type { Agent, ChatEnd, ChatRun } from 'echelon'
import { isJson, isJsonObject, type JsonObject, type Message } from 'echelon/runtime'
import { plainSchema } from 'echelon/internal/schema'
import { clientTools } from './client-tools.ts'
import type { ModelTally } from './model-tally.ts'
import type { ServedAgent, ServedRun, TurnEnd, TurnFile, TurnInput } from './served-agent.ts'
import { TalliedEvents } from './tallied-events.ts'

export interface ServeChatOptions {
  /** Default: the agent's name. */
  readonly name?: string
  readonly kind?: ServedAgent['kind']
  readonly description: string
  /** Models as `provider/model`, cheapest first. Default: the agent's current one. */
  readonly models?: readonly string[]
  readonly tools?: ServedAgent['tools']
  /** The agent's own limit of a turn in US dollars; default none. */
  readonly maxCost?: number | null
}

/** Serves a chat agent. Its conversations and runs are kept if it was given the server's store. */
export function serveChat(agent: Agent, options: ServeChatOptions): ServedAgent {
  const { name = agent.name, kind = 'chat', description, tools = [], maxCost = null } = options
  const models = (): readonly string[] =>
    options.models ?? (agent.model === undefined ? [] : [agent.model])
  return {
    name,
    definition: agent.name,
    kind,
    description,
    get models() {
      return models()
    },
    tools,
    accepts: {
      sessions: true,
      history: true,
      files: true,
      tools: true,
      output: true,
      maxCost: true,
    },
    options: OPTIONS,
    maxCost,
    async start(input, { runId, session, caller, maxCost: most, made, traceparent, tracestate }) {
      const given = {
        runId,
        caller,
        made,
        traceparent,
        tracestate,
        ...(session !== undefined && { session: await agent.openSession(session) }),
        ...(most !== undefined && { limits: { money: most } }),
        ...(input.tools && input.tools.length > 0 && { tools: clientTools(input.tools) }),
        ...instructionsIn(input.options),
      }
      const messages = messagesOf(input)
      const { output } = input
      const run =
        output === undefined
          ? agent.run(messages, given)
          : agent.run(messages, { ...given, output: plainSchema('answer', output) })
      return servedRun(run, models)
    },
    async resume(runId) {
      return servedRun(await agent.resume(runId), models)
    },
    async fork(runId, { models: named = {}, ...options }) {
      // A chat agent has one role.
      const [model] = Object.values(named)
      const run = await agent.fork(runId, { ...options, ...(model !== undefined && { model }) })
      return servedRun(run, models)
    },
    definitionOf: () => agent.definition,
  }
}

const OPTIONS: JsonObject = {
  type: 'object',
  properties: {
    instructions: { type: 'string', description: 'Replaces the instructions of the agent' },
  },
  additionalProperties: false,
}

function instructionsIn(options: JsonObject = {}): { readonly instructions?: string } {
  const { instructions } = options
  return typeof instructions === 'string' ? { instructions } : {}
}

function messagesOf({ text, history = [], files = [] }: TurnInput): readonly Message[] {
  const content = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...files.map(filePart),
  ]
  // A history may end with the results of tools, to which the agent answers without a word of the user.
  return content.length === 0 && history.length > 0
    ? history
    : [...history, { role: 'user', content }]
}

const filePart = ({ name, mediaType, data }: TurnFile) => ({
  type: 'file' as const,
  mediaType,
  data: { type: 'data' as const, data },
  ...(name !== null && { filename: name }),
})

function servedRun(run: ChatRun, models: () => readonly string[]): ServedRun {
  // Listens at once: a listener that comes some microtasks later misses the start, and that text is wanted.
  const events = new TalliedEvents(run[Symbol.asyncIterator]())
  return {
    id: run.id,
    outcome: run.outcome.then(async (end) => {
      await events.read
      return turnEnd(end, events.tally, models())
    }),
    cancel: () => run.cancel(),
    respond: (request, reply) => run.respond(request, reply),
    suspend: () => run.suspend(),
    [Symbol.asyncIterator]: () => events,
  }
}

function turnEnd(end: ChatEnd<unknown>, tally: ModelTally, models: readonly string[]): TurnEnd {
  const { text, output, status, reason, detail, problem, usage, cost } = end
  const states = isJson(end.state.middleware) ? end.state.middleware : null
  const cascade = isJsonObject(states) ? states['cascade'] : undefined
  const last = isJsonObject(cascade) ? cascade['last'] : undefined
  const judged = isJsonObject(last) ? last : {}
  const { status: checked, confidence, promotions = 0, model } = judged
  return {
    status: problem !== null ? 'failed' : status,
    text,
    ...(isJson(output) && output !== undefined && { output }),
    reason,
    detail: problem?.message ?? detail,
    usage,
    cost,
    rungs: tally.rungs(
      { usage, cost },
      typeof model === 'string' ? model : undefined,
      models.at(-1) ?? '',
    ),
    checked:
      checked === 'proved' || checked === 'supported' || checked === 'unsupported'
        ? checked
        : 'unchecked',
    confidence: typeof confidence === 'number' ? confidence : null,
    escalated: Number(promotions) > 0,
    needsInput: false,
    details: isJsonObject(cascade) ? { cascade } : {},
  }
}
