import type { CaseResult, CaseRun, Decider } from 'echelon/decide'
import { EchelonError, isJson, isJsonObject, type JsonObject } from 'echelon/runtime'
import { HeardEvents } from './heard-events.ts'
import type { ServedAgent, ServedRun, TurnEnd } from './served-agent.ts'

export interface ServeDeciderOptions {
  /** Default `decide`. */
  readonly name?: string
  readonly description?: string
  readonly tools?: ServedAgent['tools']
  /** The decider's own limit of a case in US dollars; default none. */
  readonly maxCost?: number | null
}

/** Serves a decision agent. Its runs are kept if it was given the server's store. */
export function serveDecider(decider: Decider, options: ServeDeciderOptions = {}): ServedAgent {
  const { name = 'decide', tools = [], maxCost = null } = options
  return {
    name,
    definition: decider.name,
    kind: 'decide',
    description:
      options.description ??
      'Answers a task on the cheapest model whose answer can be verified, and escalates only if the check fails.',
    models: decider.models,
    tools,
    accepts: {
      sessions: false,
      history: false,
      files: false,
      tools: false,
      output: false,
      maxCost: true,
    },
    options: OPTIONS,
    maxCost,
    async start(
      { text, options: given = {} },
      { made, runId, maxCost: most, traceparent, tracestate },
    ) {
      const heard = new HeardEvents()
      const run = await decider.start(text, {
        ...caseOptions(given),
        onEvent: heard.hear,
        runId,
        made,
        traceparent,
        tracestate,
        ...(most !== undefined && { maxCost: most }),
      })
      return servedCase(run, heard)
    },
    async resume(runId) {
      const heard = new HeardEvents()
      return servedCase(await decider.resume(runId, { onEvent: heard.hear }), heard)
    },
    async fork(runId, options) {
      const heard = new HeardEvents()
      return servedCase(await decider.fork(runId, { ...options, onEvent: heard.hear }), heard)
    },
    definitionOf: (started) => decider.definitionFor(started),
  }
}

const MODE_NAMES = ['hrm_small_then_escalate', 'fallback_only'] as const
const UNCHECKED_NAMES = ['answer', 'escalate', 'refuse'] as const

const OPTIONS: JsonObject = {
  type: 'object',
  properties: {
    mode: { enum: [...MODE_NAMES], description: 'How long the small model is tried' },
    unchecked: {
      enum: [...UNCHECKED_NAMES],
      description: 'What to do with an answer that nothing can check',
    },
    expected_tools: {
      type: 'array',
      items: { type: 'string' },
      description: 'Tools that must give a result',
    },
    gold_answer: { type: 'string', description: 'The right answer, if it is known' },
    today: { type: 'string', description: 'The day that counts as today, such as 2025-09-08' },
    time_zone: { type: 'string', description: 'IANA name of the zone of dates' },
    seed: { type: 'integer' },
  },
  additionalProperties: false,
}

function caseOptions(given: JsonObject) {
  const { mode, unchecked, expected_tools, gold_answer, today, time_zone, seed } = given
  const knownMode = MODE_NAMES.find((name) => name === mode)
  const knownUnchecked = UNCHECKED_NAMES.find((name) => name === unchecked)
  if (mode !== undefined && knownMode === undefined) throw unusable('mode', MODE_NAMES)
  if (unchecked !== undefined && knownUnchecked === undefined) {
    throw unusable('unchecked', UNCHECKED_NAMES)
  }
  return {
    ...(knownMode !== undefined && { mode: knownMode }),
    ...(knownUnchecked !== undefined && { unchecked: knownUnchecked }),
    ...(Array.isArray(expected_tools) && { expectedTools: expected_tools.map(String) }),
    ...(typeof gold_answer === 'string' && { goldAnswer: gold_answer }),
    ...(typeof today === 'string' && { today }),
    ...(typeof time_zone === 'string' && { timeZone: time_zone }),
    ...(typeof seed === 'number' && { seed }),
  }
}

const unusable = (name: string, known: readonly string[]): EchelonError =>
  new EchelonError('INVALID_INPUT', `${name} must be one of ${known.join(', ')}`)

function servedCase({ run, outcome, suspend }: CaseRun, heard: HeardEvents): ServedRun {
  heard.endWith(outcome)
  return {
    id: run.id,
    outcome: outcome.then(endOfCase),
    cancel: () => run.cancel(),
    respond: (request, reply) => run.respond(request, reply),
    suspend,
    [Symbol.asyncIterator]: () => heard,
  }
}

/** The decision agent's verdict on its answer, in the terms that all agents share. */
const CHECKED = {
  verified: 'proved',
  supported: 'supported',
  unsupported: 'unsupported',
  refuted: 'refuted',
  not_checked: 'unchecked',
} as const

/** How a case ended, for every agent alike. */
export function endOfCase(result: CaseResult): TurnEnd {
  const { answer, checked, finish_reason, explanation, problem, cost, rungs, limit } = result
  const asked = rungs.filter(({ llm_calls }) => llm_calls > 0)
  const details: JsonObject = {
    finish_reason,
    limit,
    explanation,
    counters: { ...result.counters },
    artifacts: isJson(result.artifacts) && isJsonObject(result.artifacts) ? result.artifacts : {},
  }
  return {
    status: finish_reason === 'canceled' ? 'canceled' : problem === null ? 'finished' : 'failed',
    text: answer ?? '',
    reason: finish_reason,
    detail: answer === null ? explanation : (problem?.message ?? null),
    usage: {
      input: rungs.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0),
      output: rungs.reduce((sum, { completion_tokens }) => sum + completion_tokens, 0),
    },
    cost,
    rungs: asked.map(({ model, llm_calls, prompt_tokens, completion_tokens, cost: own }) => ({
      model,
      calls: llm_calls,
      input: prompt_tokens,
      output: completion_tokens,
      cost: own,
    })),
    checked: CHECKED[checked],
    confidence: result.confidence,
    escalated: asked.length > 1,
    needsInput: false,
    details,
  }
}
