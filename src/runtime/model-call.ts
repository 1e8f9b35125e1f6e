import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { Generate, Sampling } from '../core/effect.ts'
import type { Amounts } from '../core/budget.ts'
import { EchelonError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import type { BoundModel } from '../core/model.ts'
import type { Failed, Generated, Refused } from '../core/observation.ts'
import type { Problem } from '../core/problem.ts'
import type { Tool } from '../core/tool.ts'
import { type Cause, type Deadline, orAborted, startDeadline } from './deadline.ts'
import { CutAnswer, type ModelAnswer, readResult, readStream } from './model-answer.ts'
import { isRefusal, isRejection, toProblem } from './provider-problem.ts'
import { DEFAULT_RETRY, waitBeforeRetry } from './retry.ts'
import type { Tree } from './tree.ts'
import { type WorstCase, worstCase } from './worst-case.ts'

type CallOutcome = Generated | Refused | Failed

/** One model call as the run sees it: attempts, waits between them, and what came of it. */
export async function callModel(tree: Tree, effect: Generate, seq: number): Promise<CallOutcome> {
  const { models, tools } = tree.services
  const model = Object.hasOwn(models, effect.role) ? models[effect.role] : undefined
  if (model === undefined) return fail('not-found', `no model is bound to the role ${effect.role}`)
  const offered = (effect.tools ?? []).flatMap((name) => tools.find(name) ?? [])
  return attemptUntilDone({ tree, effect, seq, model, tools: offered, voice: { spoke: false } })
}

interface Call {
  readonly tree: Tree
  readonly effect: Generate
  readonly seq: number
  readonly model: BoundModel
  readonly tools: readonly Tool[]
  /** Whether the user has seen a part of an answer. */
  readonly voice: { spoke: boolean }
}

async function attemptUntilDone(call: Call): Promise<CallOutcome> {
  const { tree } = call
  let lastFailure: Failed | undefined
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt(call, attempts)
    // A retry that the budget refuses leaves the failure that asked for it.
    if (outcome.type === 'refused') return lastFailure ?? outcome
    if (outcome.type === 'generated') return outcome
    // What the user has begun to read is not said a second time in other words.
    if (call.voice.spoke) return outcome
    lastFailure = outcome
    const policy = tree.services.retry ?? DEFAULT_RETRY
    const waitMs = waitBeforeRetry(policy, outcome.error, tree.random())
    if (waitMs === undefined || waitMs >= tree.msLeft) return outcome
    announceRetry(call, outcome.error, waitMs)
    await tree.pause(waitMs)
    if (tree.cancelSignal.aborted) return fail('aborted', 'the run was canceled', attempts)
  }
}

/** One attempt, within a time limit of its own: reserve, put on record, call, settle. */
async function attempt(call: Call, attempts: number): Promise<CallOutcome> {
  const { tree, effect, seq, model } = call
  const most = await reserve(call)
  if (!most.ok) {
    const { ok: _, ...why } = most
    return { type: 'refused', by: 'budget', ...why }
  }
  tree.journal.push({ type: 'opened', path: '', seq, hold: most.hold })
  await tree.journal.flush()
  const { timeoutMs } = effect
  const { clock } = tree.services
  const limits = { clock, cancel: tree.cancelSignal, runMs: tree.msLeft, timeoutMs }
  const deadline = startDeadline(limits)
  let spent: Amounts = {}
  try {
    if (deadline.signal.aborted) return givenUp(model, deadline, attempts - 1)
    spent = most.hold
    const answer = await ask(call, most.maxTokens, deadline.signal)
    const cost = answer.usage === undefined ? null : model.price(answer.usage)
    spent = answeredAmounts(call, answer, { cost, hold: most.hold })
    return toOutcome(call, answer, cost, attempts)
  } catch (error) {
    // No model is down: a replay has parted from its recording, and no other model can mend that.
    if (error instanceof EchelonError && error.code === 'UNRECORDED_CALL') throw error
    const isGivenUp = deadline.cause() !== undefined
    spent =
      !isGivenUp && isRejection(error)
        ? rejectedAmounts(call, most.hold, error)
        : unknownAmounts(call, most.hold)
    if (isGivenUp) return givenUp(model, deadline, attempts)
    return { type: 'failed', error: toProblem(error, attempts, model.normalizeError) }
  } finally {
    deadline.release()
    tree.ledger.settle(most.hold, spent)
  }
}

/** Holds the worst case; clamps it anew where what others took meanwhile leaves less. */
async function reserve(call: Call): Promise<WorstCase> {
  let most = worstCaseNow(call)
  while (most.ok) {
    const limit = await call.tree.ledger.reserve(most.hold)
    if (limit === undefined) return most
    const again = worstCaseNow(call)
    if (again.ok && again.maxTokens >= most.maxTokens) {
      return { ok: false, limit, message: `another call could exceed the limit of ${limit}` }
    }
    most = again
  }
  return most
}

function worstCaseNow({ tree, effect, model, tools }: Call): WorstCase {
  const known = tree.knownTokens(model.id, effect.messages)
  return worstCase(effect, { ledger: tree.ledger, model, tools, known })
}

/** The wire. Streams only what somebody watches; both ways end in the same answer. */
async function ask(call: Call, maxTokens: number, signal: AbortSignal): Promise<ModelAnswer> {
  const { tree, effect, seq, model, voice } = call
  const options = callOptions(call, maxTokens, signal)
  if (effect.show !== 'user' || !tree.audience.hears('text-delta')) {
    return readResult(await orAborted(model.model.doGenerate(options), signal))
  }
  const drop = (): void => {
    if (voice.spoke) tree.audience.tell({ type: 'text-drop', path: '', seq })
  }
  try {
    const { stream } = await orAborted(model.model.doStream(options), signal)
    const reading = readStream(stream, (delta) => {
      // Whoever goes on speaking after being given up is not heard, and is stopped.
      signal.throwIfAborted()
      voice.spoke = true
      tree.audience.tell({ type: 'text-delta', path: '', seq, delta })
    })
    const answer = await orAborted(reading, signal)
    if (FINISH[answer.finish] === undefined) drop()
    return answer
  } catch (error) {
    drop()
    throw error
  }
}

function callOptions(
  { effect, tools }: Call,
  maxTokens: number,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  return {
    prompt: effect.messages.toArray(),
    maxOutputTokens: maxTokens,
    abortSignal,
    ...samplingOptions(effect.sampling),
    ...(effect.schema === undefined
      ? {}
      : { responseFormat: { type: 'json', name: 'answer', schema: toJsonSchema7(effect.schema) } }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toFunctionTool) }),
  }
}

function samplingOptions(sampling: Sampling = {}): Partial<LanguageModelV4CallOptions> {
  const { stop, ...others } = sampling
  return stop === undefined ? others : { ...others, stopSequences: [...stop] }
}

const toFunctionTool = ({ name, description, jsonSchema }: Tool): LanguageModelV4FunctionTool => ({
  type: 'function',
  name,
  description,
  inputSchema: toJsonSchema7(jsonSchema),
})

// Both are JSON Schema draft 7; the one is readonly JSON, the other a type of mutable keywords.
function toJsonSchema7(schema: JsonObject): JSONSchema7
function toJsonSchema7(schema: object): object {
  return schema
}

function toOutcome(
  { tree, effect, seq, model }: Call,
  answer: ModelAnswer,
  cost: number | null,
  attempts: number,
): CallOutcome {
  for (const warning of tree.audience.hears('model-warning') ? answer.warnings : []) {
    tree.audience.tell({ type: 'model-warning', path: '', seq, message: describeWarning(warning) })
  }
  if (answer.usage !== undefined) {
    tree.learnTokens({ model: model.id, thread: effect.messages, tokens: answer.usage.input })
  }
  const finish = FINISH[answer.finish]
  if (finish === undefined) {
    return { type: 'failed', error: toProblem(new CutAnswer(`${model.id} gave up`), attempts) }
  }
  const { text, calls, usage = { input: 0, output: 0 } } = answer
  return { type: 'generated', text, calls, finish, model: model.id, usage, cost }
}

/** What an answer's end means; nothing for an end that is a failure. */
const FINISH: Readonly<Record<ModelAnswer['finish'], Generated['finish'] | undefined>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tools',
  'content-filter': 'filter',
  other: 'stop',
  error: undefined,
  interrupted: undefined,
}

/** What an answered call really took, by role too: who reads the ledger sees each rung's share. */
function answeredAmounts(
  call: Call,
  answer: ModelAnswer,
  { cost, hold }: { readonly cost: number | null; readonly hold: Amounts },
): Amounts {
  const { role } = call.effect
  if (answer.usage === undefined) return unknownAmounts(call, hold)
  const { input, output } = answer.usage
  const money = cost ?? hold['money']
  return {
    [`calls.${role}`]: 1,
    [`input.${role}`]: input,
    [`output.${role}`]: output,
    tokens: input + output,
    ...(money === undefined ? {} : { money }),
    ...(cost === null ? { [`unpriced.${role}`]: 1 } : { [`money.${role}`]: cost }),
  }
}

/**
 * What a call takes that was answered with an error status, for which no provider asks money. A
 * refusal (4xx) did nothing; what a server did before it broke (5xx) nobody knows, so that the
 * limits stay charged at the hold.
 */
function rejectedAmounts({ effect: { role } }: Call, hold: Amounts, error: unknown): Amounts {
  return isRefusal(error) ? { [`calls.${role}`]: 1 } : hold
}

/**
 * Of a call that was cut, given up or says nothing of its usage nobody knows what it took: it stays
 * charged at its hold, and its cost is unknown unless the model is free.
 */
function unknownAmounts({ effect: { role }, model }: Call, hold: Amounts): Amounts {
  const isFree = model.price({ input: 1000, output: 1000 }) === 0
  const money = hold['money'] ?? (isFree ? 0 : undefined)
  return {
    ...hold,
    ...(money === undefined ? { [`unpriced.${role}`]: 1 } : { [`money.${role}`]: money }),
  }
}

function announceRetry({ tree, seq }: Call, problem: Problem, waitMs: number): void {
  if (tree.audience.hears('retry-wait'))
    tree.audience.tell({ type: 'retry-wait', path: '', seq, problem, waitMs })
}

function givenUp(model: BoundModel, deadline: Deadline, attempts: number): Refused | Failed {
  const cause: Cause = deadline.cause() ?? 'timeout'
  if (cause === 'seconds') return refuse('seconds', 'the time of the run was over')
  if (cause === 'canceled') return fail('aborted', 'the run was canceled', attempts)
  const late = fail('timeout', `${model.id} did not answer in time`, attempts)
  return { ...late, error: { ...late.error, retryable: true } }
}

const refuse = (limit: string, message: string): Refused => ({
  type: 'refused',
  by: 'budget',
  limit,
  message,
})

const fail = (code: Problem['code'], message: string, attempts = 0): Failed => ({
  type: 'failed',
  error: { code, message, retryable: false, attempts },
})

function describeWarning(warning: SharedV4Warning): string {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility':
      return `${warning.feature}: ${warning.details ?? warning.type}`
    case 'deprecated':
      return `${warning.setting}: ${warning.message}`
    case 'other':
      return warning.message
  }
}
