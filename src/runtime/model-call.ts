import type { Generate } from '../core/effect.ts'
import { digestText } from '../core/digest.ts'
import { EchelonError } from '../core/error.ts'
import type { ModelCall, ModelOutcome, Prompt } from '../core/middleware.ts'
import type { BoundModel } from '../core/model.ts'
import type { Failed } from '../core/observation.ts'
import type { Problem } from '../core/problem.ts'
import type { Branch } from './branch.ts'
import { attempt, type Attempting } from './model-attempt.ts'
import type { OfferedTools } from './offered-tools.ts'
import { deniedTools } from './permit.ts'
import { DEFAULT_RETRY, waitBeforeRetry } from './retry.ts'

/**
 * One model call as the run sees it: filters of the prompt, middleware around the call, attempts,
 * waits between them, and what came of it.
 */
export async function callModel(
  branch: Branch,
  effect: Generate,
  seq: number,
): Promise<ModelOutcome> {
  const { pipeline, tree } = branch
  tree.beginWork()
  try {
    if (pipeline?.prompt === undefined && pipeline?.generate === undefined) {
      return await callBound(branch, effect, { seq, thread: effect.messages })
    }
    return await throughMiddleware(branch, effect, seq)
  } catch (error) {
    // Of this program's own mistakes, and of a journal that broke, no agent can make anything.
    if (error instanceof EchelonError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return fail('unknown', `a middleware failed: ${reason}`)
  } finally {
    tree.endWork()
  }
}

async function throughMiddleware(
  branch: Branch,
  effect: Generate,
  seq: number,
): Promise<ModelOutcome> {
  const { pipeline } = branch
  const thread = effect.messages
  const asked: Prompt = { head: NO_MESSAGES, thread, tail: NO_MESSAGES }
  const prompt = (await pipeline?.prompt?.(asked, (sent) => Promise.resolve(sent), branch)) ?? asked
  if (prompt !== asked) branch.sent(sentPrompt(prompt))
  const { type: _type, messages: _messages, ...rest } = effect
  const modelId = branch.models[effect.role]?.id ?? ''
  const call: ModelCall = { ...rest, prompt, modelId, ...spoken(branch, effect, seq) }
  const wire = (passed: ModelCall): Promise<ModelOutcome> => callNamed(branch, passed, seq)
  return pipeline?.generate === undefined ? wire(call) : pipeline.generate(call, wire, branch)
}

const NO_MESSAGES: Prompt['head'] = []

/** What filters sent is not kept; that they changed something is. */
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

/** Somebody listens: middleware hears what they hear. */
function spoken(
  { tree, path }: Branch,
  { show }: Generate,
  seq: number,
): Pick<ModelCall, 'onText'> {
  if (show !== 'user' || !tree.audience.hears('text-delta')) return {}
  return { onText: (delta) => tree.audience.tell({ type: 'text-delta', path, seq, delta }) }
}

/** The innermost step of middleware: it resolves the model of this call. */
async function callNamed(branch: Branch, call: ModelCall, seq: number): Promise<ModelOutcome> {
  const { prompt, model, onText, signal } = call
  const { thread, head, tail } = prompt
  const named = typeof model === 'string' ? await resolve(branch, model) : model
  if (named !== undefined && 'type' in named) return named
  return callBound(branch, call, { seq, thread, head, tail, model: named, onText, signal })
}

async function resolve(branch: Branch, name: string): Promise<BoundModel | Failed> {
  const { resolveModel } = branch.tree.services
  if (resolveModel === undefined) {
    return fail('not-found', `${name} was asked for by name, and this run knows no models by name`)
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
  Partial<Pick<Attempting, 'head' | 'tail' | 'onText' | 'signal'>> & {
    readonly model?: BoundModel | undefined
  }

async function callBound(branch: Branch, asked: Asked, given: Given): Promise<ModelOutcome> {
  const model = given.model ?? branch.modelFor(asked.role)
  if (model === undefined) return fail('not-found', `no model is bound to the role ${asked.role}`)
  const { seq, thread, head, tail, signal } = given
  const speaks = asked.show === 'user' && branch.tree.audience.hears('text-delta')
  const onText =
    given.onText ??
    (speaks
      ? spoken(branch, { ...asked, type: 'generate', messages: thread }, seq).onText
      : undefined)
  const permitted = branch.pipeline?.permit === undefined
  const tools = permitted ? branch.tools.offer(asked.tools) : await permittedTools(branch, asked)
  return attemptUntilDone({
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
    spoke: false,
  })
}

async function permittedTools(branch: Branch, { tools = [] }: Asked): Promise<OfferedTools> {
  return branch.tools.offer(tools).without(await deniedTools(branch, tools))
}

/** The runtime's own retry, where no middleware takes its place. */
async function attemptUntilDone(call: Attempting): Promise<ModelOutcome> {
  const { tree, pipeline } = call.branch
  if (pipeline?.replaces.has('retry') === true) return attempt(call, 1)
  let lastFailure: Failed | undefined
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt(call, attempts)
    // A retry that the budget refuses leaves the failure that asked for it.
    if (outcome.type === 'refused') return lastFailure ?? outcome
    if (outcome.type === 'generated') return outcome
    // What the user has begun to read is not said a second time in other words.
    if (call.spoke) return outcome
    lastFailure = outcome
    const policy = tree.services.retry ?? DEFAULT_RETRY
    const waitMs = waitBeforeRetry(policy, outcome.error, tree.random())
    if (waitMs === undefined || waitMs >= tree.msLeft) return outcome
    announceRetry(call, outcome.error, waitMs)
    await tree.pause(waitMs)
    if (tree.isCanceled) return fail('aborted', 'the run was canceled', attempts)
  }
}

function announceRetry({ branch, seq }: Attempting, problem: Problem, waitMs: number): void {
  const { tree, path } = branch
  if (tree.audience.hears('retry-wait'))
    tree.audience.tell({ type: 'retry-wait', path, seq, problem, waitMs })
}

const fail = (code: Problem['code'], message: string, attempts = 0): Failed => ({
  type: 'failed',
  error: { code, message, retryable: false, attempts },
})
