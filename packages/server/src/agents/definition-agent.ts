import type { Tool } from 'echelon'
import {
  type AgentDefinition,
  artifactFolder,
  isJson,
  isJsonObject,
  type Json,
  readRun,
  resumeRun,
  type Run,
  type Services,
  startRun,
  systemClock,
  systemIds,
  systemTimeZone,
  ToolRegistry,
} from 'echelon/runtime'
import type { ServerStore } from '../runs/server-store.ts'
import { UNMEASURED } from './unmeasured.ts'
import type { ServedAgent, ServedRun, TurnEnd } from './served-agent.ts'

export interface ServeDefinitionOptions {
  readonly store: Pick<ServerStore, 'runs'>
  readonly description?: string
  readonly tools?: readonly Tool[]
  /** Its models by role; default none. */
  readonly models?: Services['models']
  /** Default: no limits. */
  readonly limits?: Services['limits']
  /** Folder for files of its tools. Default `artifacts`. */
  readonly artifacts?: string
}

/** An agent definition that takes text. */
export type TextDefinition<State, Result> = AgentDefinition<string, State, Result>

/**
 * Serves a definition of your own. Its input is the text of the turn. Its result is a text, an object with a
 * `text`, or any other JSON.
 */
export function serveDefinition<State, Result>(
  definition: TextDefinition<State, Result>,
  options: ServeDefinitionOptions,
): ServedAgent {
  const { store, tools = [], models = {}, limits = {}, artifacts = 'artifacts' } = options
  const services: Services = {
    models,
    limits,
    tools: new ToolRegistry(tools),
    artifacts: artifactFolder({ folder: artifacts }),
    clock: systemClock,
    ids: systemIds,
    timeZone: systemTimeZone(),
    journal: store.runs,
  }
  return {
    name: definition.name,
    definition: definition.name,
    kind: 'other',
    description: options.description ?? `The agent ${definition.name}.`,
    models: Object.values(models).map(({ id }) => id),
    tools,
    accepts: { sessions: false, history: false, files: false, tools: false, output: false },
    options: { type: 'object', properties: {}, additionalProperties: false },
    maxCost: Object.keys(models).length === 0 ? 0 : (limits['money'] ?? null),
    start: async ({ text }, { runId, caller, made, traceparent, tracestate }) =>
      servedRun(
        startRun(definition, text, services, { runId, caller, made, traceparent, tracestate }),
      ),
    async resume(runId) {
      const known = resumable(definition)
      const entries = await readRun(store.runs, runId, known)
      return servedRun(resumeRun(known, entries, { services }))
    },
    definitionOf: () => resumable(definition),
  }
}

/** The same, for inputs of the store. */
const resumable = <State, Result>(
  definition: TextDefinition<State, Result>,
): AgentDefinition<Json, State, Result> => ({
  name: definition.name,
  version: definition.version,
  actors: definition.actors,
  start: (input, context) =>
    definition.start(typeof input === 'string' ? input : JSON.stringify(input), context),
  next: (state) => definition.next(state),
  observe: (state, seen, meter) => definition.observe(state, seen, meter),
  load: (snapshot) => definition.load(snapshot),
})

function servedRun<Result, State>(run: Run<Result, State>): ServedRun {
  const events = run[Symbol.asyncIterator]()
  return {
    id: run.id,
    outcome: run.result.then(({ status, reason, result }) => turnEnd(status, reason, result)),
    cancel: () => run.cancel(),
    respond: (request, reply) => run.respond(request, reply),
    suspend: () => run.suspend(),
    [Symbol.asyncIterator]: () => events,
  }
}

function turnEnd(status: 'finished' | 'canceled', reason: string, result: unknown): TurnEnd {
  const output = isJson(result) ? result : null
  const said = isJsonObject(output) ? output['text'] : output
  return {
    status,
    text: typeof said === 'string' ? said : JSON.stringify(output),
    output,
    reason,
    detail: null,
    ...UNMEASURED,
  }
}
