import { pause } from '../../core/value/abortable.ts'
import type { Generate } from '../../core/agent/effect.ts'
import { digestText } from '../../core/value/digest.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { ModelCall, ModelOutcome, Prompt } from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Failed } from '../../core/agent/observation.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { TracedCall } from '../../core/observability/tracing.ts'
import type { Branch } from '../branch.ts'
import { callGivenUp, untilGivenUp } from './cut-short.ts'
import { type Cause, Deadline } from './deadline.ts'
import type { Attempting } from './attempting.ts'
import { attempt, isRefused } from './model-attempt.ts'
import type { OfferedTools } from '../tools/offered-tools.ts'
import { PartialOutput } from './partial-output.ts'
import { readingTools } from '../tools/reading-tools.ts'
import { deniedTools } from '../people/permit.ts'
import { DEFAULT_RETRY, waitBeforeRetry } from '../../core/model/retry-policy.ts'
import { Telling } from '../people/telling.ts'
import { traced } from './traced.ts'
import type { Tree } from '../tree.ts'

/**
 * Makes one model call: prompt filters, middleware around the call, attempts, waits between them,
 * and the outcome.
 */
export function callModel(branch: Branch, effect: Generate, seq: number): Promise<ModelOutcome> {
  const { pipeline } = branch
  return pipeline?.prompt === undefined && pipeline?.generate === undefined
    ? callBound(branch, effect, { seq, thread: effect.messages })
    : throughMiddleware(branch, effect, seq)
}

async function throughMiddleware(
  branch: Branch,
  effect: Generate,
  seq: number,
): Promise<ModelOutcome> {
  const { tree } = branch
  const listener = textListener(branch, effect, seq)
  const again = (): typeof listener => textListener(branch, effect, seq)
  const telling = listener && new Telling(branch, seq, { listener, again })
  tree.beginWork()
  try {
    const deadline = new Deadline(tree, Infinity)
    const chain = callThrough(branch, effect, { seq, deadline, telling })
    const outcome = await untilGivenUp(tree, deadline, chain, callGivenUp)
    telling?.end(outcome)
    return outcome
  } catch (error) {
    telling?.end()
    return mistake(tree, 'a middleware failed', error)
  } finally {
    tree.endWork()
  }
}

interface Chained {
  readonly seq: number
  readonly deadline: Deadline
  /** `undefined` without a listener. */
  readonly telling: Telling | undefined
}

async function callThrough(
  branch: Branch,
  effect: Generate,
  { seq, deadline, telling }: Chained,
): Promise<ModelOutcome> {
  const { pipeline } = branch
  const thread = effect.messages
  const asked: Prompt = { head: NO_MESSAGES, thread, tail: NO_MESSAGES }
  const sent = await pipeline?.prompt?.(asked, (passed) => Promise.resolve(passed), branch)
  const prompt = sent ?? asked
  if (prompt !== asked) branch.sent(sentPrompt(prompt))
  const { type: _type, messages: _messages, ...rest } = effect
  const modelId = branch.models[effect.role]?.id ?? ''
  const call: ModelCall = {
    ...rest,
    prompt,
    modelId,
    callTools: readingTools(branch, effect.actor, seq),
    ...(telling && { onText: telling.say }),
  }
  const wire = async (passed: ModelCall): Promise<ModelOutcome> => {
    const { cause } = deadline
    // The run has abandoned this chain; only a call with its own signal may continue.
    if (cause !== undefined && passed.signal === undefined) return callGivenUp(cause)
    const shown = isHidden(passed) ? undefined : telling
    // Discards the text of an earlier attempt.
    shown?.drop()
    return callNamed(branch, passed, { seq, telling: shown })
  }
  return pipeline?.generate === undefined ? wire(call) : pipeline.generate(call, wire, branch)
}

/** Whether a call of a middleware is internal, such as a second opinion about an answer that is shown. */
const isHidden = ({ show, onText }: ModelCall): boolean => show !== 'user' && onText === undefined

/** Turns an error into a failure. Rethrows program and journal errors, which no agent can handle. */
function mistake(tree: Tree, what: string, error: unknown): Failed {
  if (error instanceof EchelonError) throw error
  const reason = tree.redact(error instanceof Error ? error.message : String(error))
  return fail('unknown', `${what}: ${reason}`)
}

const NO_MESSAGES: Prompt['head'] = []

/** Returns a digest and the lengths of the filtered prompt; its text is not journaled. */
const sentPrompt = ({ head, thread, tail }: Prompt): ReturnType<typeof sentAs> =>
  sentAs(head, tail, thread.length)

const sentAs = (
  head: Prompt['head'],
  tail: Prompt['tail'],
  length: number,
): { readonly digest: number; readonly head: number; readonly tail: number } => ({
  digest: digestText(JSON.stringify([head, length, tail])),
  head: head.length,
  tail: tail.length,
})

/** Returns a function that emits the model's text as events; `undefined` without a listener. */
function textListener(
  { tree, path }: Branch,
  { show, schema }: Pick<Generate, 'show' | 'schema'>,
  seq: number,
): ((delta: string) => void) | undefined {
  const { audience } = tree
  // A child run's text goes to its parent, not to the user.
  if (path !== '' || show !== 'user') return undefined
  const wantsPartials = schema !== undefined && audience.hears('output-partial')
  if (!wantsPartials && !audience.hears('text-delta')) return undefined
  const say = (delta: string): void => audience.tell({ type: 'text-delta', path, seq, delta })
  if (!wantsPartials) return say
  const output = new PartialOutput((partial) =>
    audience.tell({ type: 'output-partial', path, seq, partial }),
  )
  return (delta) => {
    say(delta)
    output.hear(delta)
  }
}

/** The innermost step of the middleware chain: resolves the model and calls it. */
async function callNamed(
  branch: Branch,
  call: ModelCall,
  { seq, telling }: Pick<Chained, 'seq' | 'telling'>,
): Promise<ModelOutcome> {
  const { prompt, model, onText = telling?.say, signal } = call
  const { thread, head, tail } = prompt
  const named = typeof model === 'string' ? await resolve(branch, model) : model
  if (named !== undefined && 'type' in named) return named
  const given = { seq, thread, head, tail, model: named, onText, signal, telling }
  return callBound(branch, call, given)
}

async function resolve(branch: Branch, name: string): Promise<BoundModel | Failed> {
  const { resolveModel } = branch.services
  if (resolveModel === undefined) {
    return fail(
      'not-found',
      `the model ${name} was requested by name, but this run has no resolveModel`,
    )
  }
  try {
    return await resolveModel(name)
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    return fail(error.code === 'MISSING_KEY' ? 'auth' : 'not-found', error.message)
  }
}

type Asked = Omit<Generate, 'type' | 'messages'>
type Given = Pick<Attempting, 'seq' | 'thread'> &
  Partial<Pick<Attempting, 'head' | 'tail' | 'onText' | 'signal' | 'telling'>> & {
    readonly model?: BoundModel | undefined
  }

/** Calls the role's model, or the one selected for this call, with retries. */
async function callBound(branch: Branch, asked: Asked, given: Given): Promise<ModelOutcome> {
  const { tree, pipeline, tools: registry } = branch
  tree.beginWork()
  try {
    const model = given.model ?? branch.modelFor(asked.role)
    if (model === undefined) return fail('not-found', `no model is bound to the role ${asked.role}`)
    const isFree = pipeline?.permit === undefined
    const tools = isFree ? registry.offer(asked.tools) : await permittedTools(branch, asked)
    if (typeof tools === 'string') return callGivenUp(tools)
    const { seq, thread, head, tail, signal, telling } = given
    const onText = given.onText ?? textListener(branch, asked, seq)
    const span = branch.trace?.model(
      tracedCall(asked, { given, model, streams: onText !== undefined }),
    )
    const call: Attempting = {
      branch,
      asked,
      seq,
      model,
      tools,
      thread,
      head,
      tail,
      onText,
      signal,
      telling,
      span,
      spoke: false,
    }
    if (span !== undefined) return await traced(span, () => tried(call))
    const outcome = await attempt(call, 1)
    return outcome.type === 'failed' ? await retryWhileWorth(call, outcome) : outcome
  } catch (error) {
    return mistake(tree, 'the model could not be called', error)
  } finally {
    tree.endWork()
  }
}

/** Attempts the call, with retries. */
async function tried(call: Attempting): Promise<ModelOutcome> {
  const outcome = await attempt(call, 1)
  return outcome.type === 'failed' ? retryWhileWorth(call, outcome) : outcome
}

interface Bound {
  readonly given: Given
  readonly model: BoundModel
  readonly streams: boolean
}

const tracedCall = (asked: Asked, { given, model, streams }: Bound): TracedCall => ({
  model: model.id,
  role: asked.role,
  seq: given.seq,
  streams,
  asksJson: asked.schema !== undefined,
  maxTokens: asked.maxTokens,
  sampling: asked.sampling,
  messages: () => [...(given.head ?? []), ...given.thread.toArray(), ...(given.tail ?? [])],
})

async function permittedTools(
  branch: Branch,
  { tools = [] }: Asked,
): Promise<OfferedTools | Cause> {
  const denied = await deniedTools(branch, tools)
  return typeof denied === 'string' ? denied : branch.tools.offer(tools).without(denied)
}

/** Retries a failed call, unless middleware replaces the runtime's retry. */
async function retryWhileWorth(call: Attempting, failed: Failed): Promise<ModelOutcome> {
  const { tree, pipeline, services } = call.branch
  if (pipeline?.replaces.has('retry') === true) return failed
  const policy = services.retry ?? DEFAULT_RETRY
  let last = failed
  for (let attempts = 2; ; attempts++) {
    // The user has seen a part of the answer; do not show another version of it.
    if (call.spoke) return last
    const waitMs = waitBeforeRetry(policy, last.error, tree.random())
    if (waitMs === undefined || waitMs >= tree.msLeft || isRefused(call)) return last
    announceRetry(call, last.error, waitMs)
    await waitUnlessAborted(call, waitMs)
    if (tree.isCanceled) return fail('aborted', 'the run was canceled', attempts - 1)
    if (call.signal?.aborted === true) return fail('aborted', 'the call was given up', attempts - 1)
    const outcome = await attempt(call, attempts)
    // If the budget refuses the retry, report the failure before it.
    if (outcome.type === 'refused') return last
    if (outcome.type === 'generated') return outcome
    last = outcome
  }
}

/** Waits before a retry. An aborted call skips the pending retry. */
function waitUnlessAborted({ branch, signal }: Attempting, ms: number): Promise<void> {
  const { tree } = branch
  if (signal === undefined) return tree.pause(ms)
  return pause(tree.clock, ms, AbortSignal.any([signal, tree.cancelSignal]))
}

function announceRetry(call: Attempting, problem: Problem, waitMs: number): void {
  const { branch, seq, span } = call
  const { tree, path } = branch
  span?.retry(problem, waitMs)
  if (tree.audience.hears('retry-wait'))
    tree.audience.tell({ type: 'retry-wait', path, seq, problem, waitMs })
}

const fail = (code: Problem['code'], message: string, attempts = 0): Failed => ({
  type: 'failed',
  error: { code, message, retryable: false, attempts },
})
