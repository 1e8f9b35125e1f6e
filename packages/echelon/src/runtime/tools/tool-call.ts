import { EchelonError } from '../../core/value/error.ts'
import type { ToolRequest } from '../../core/extension/middleware.ts'
import type {
  ChildEnd,
  ChildRun,
  Tool,
  ToolCall,
  ToolContext,
  ToolOutcome,
} from '../../core/tool/tool.ts'
import type { ArtifactStore } from '../../core/tool/artifact.ts'
import type { Json } from '../../core/value/json.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'
import { messageOf, thrownError } from '../../core/value/thrown-error.ts'
import type { RunSpan } from '../../core/observability/tracing.ts'
import { safelyNamed } from './artifact-names.ts'
import type { Batch } from './batch.ts'
import type { Branch } from '../branch.ts'
import { askWithinCall } from '../people/question.ts'
import { book, take } from './batch-allowance.ts'
import { isBegun, wasLeftBegun, mayHaveActed, findOutcome } from './begun-call.ts'
import { notCalled, unknownTool } from '../model/cut-short.ts'
import { Deadline } from '../model/deadline.ts'
import { executeTool, type ToolSurroundings } from './execute-tool.ts'
import { traced } from '../model/traced.ts'
import type { Tree } from '../tree.ts'
import { DEFAULT_RETRY, waitBeforeRetry } from '../../core/model/retry-policy.ts'
import { throughMiddleware } from './tool-chain.ts'

/**
 * Runs one permitted call: middleware, then the tool, each attempt within the budget.
 * @param withheld outcome for a call that may have run before a crash and may not be made now. The
 * tool is asked whether the call happened; this outcome is used only if it did not
 */
export async function callTool(
  batch: Batch,
  call: ToolCall,
  index: number,
  withheld?: ToolOutcome,
): Promise<ToolOutcome> {
  const { branch, seq } = batch
  const { tree, path } = branch
  // Throws if the journal has failed, so that no more calls are made.
  const flushing = tree.journal.flush()
  if (flushing instanceof Promise) await flushing
  const settled = branch.leftOpen(seq)?.settled.get(index)
  if (settled !== undefined) return known(batch, settled, index)
  if (tree.isCanceled) return wasLeftBegun(batch, index) ? mayHaveActed(call.tool) : notCalled(call)
  if (tree.audience.hears('tool-start')) tree.audience.tell({ type: 'tool-start', path, seq, call })
  const working =
    branch.trace === undefined
      ? work(batch, call, index, withheld)
      : workTraced(branch.trace, batch, call, { index, withheld })
  const outcome = working instanceof Promise ? await working : working
  if (batch.waits || changesTheWorld(branch, call)) {
    const states = branch.takeStates()
    tree.journal.push({ type: 'settled', path, seq, call: index, outcome, ...states })
    await tree.journal.flush()
  }
  if (tree.audience.hears('tool-end')) {
    const error = batch.thrown?.get(index)
    tree.audience.tell({ type: 'tool-end', path, seq, call, outcome, ...(error && { error }) })
  }
  return outcome
}

function changesTheWorld({ tools }: Branch, { tool }: ToolCall): boolean {
  const found = tools.find(tool)
  return found !== undefined && found.does !== 'reads'
}

function workTraced(
  trace: RunSpan,
  batch: Batch,
  call: ToolCall,
  { index, withheld }: { readonly index: number; readonly withheld: ToolOutcome | undefined },
): ToolOutcome | Promise<ToolOutcome> {
  const { branch, meter } = batch
  const span = trace.tool({ call, facts: branch.tools.find(call.tool), meter })
  if (span === undefined) return work(batch, call, index, withheld)
  batch.spans ??= new Map()
  batch.spans.set(index, span)
  return traced(span, () => work(batch, call, index, withheld))
}

/** Performs a call and counts its time. It is synchronous if the tool is. */
function work(
  batch: Batch,
  call: ToolCall,
  index: number,
  withheld: ToolOutcome | undefined,
): ToolOutcome | Promise<ToolOutcome> {
  const { tree, pipeline } = batch.branch
  tree.beginWork()
  let working: ToolOutcome | Promise<ToolOutcome> | undefined
  try {
    working =
      pipeline?.tool === undefined
        ? perform(batch, call, index, withheld)
        : throughMiddleware(batch, pipeline.tool, { call, index, withheld, perform })
  } catch (error) {
    working = mistake(tree, error)
  } finally {
    if (!(working instanceof Promise)) tree.endWork()
  }
  return working instanceof Promise ? untilDone(tree, working) : working
}

async function untilDone(tree: Tree, working: Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await working
  } catch (error) {
    return mistake(tree, error)
  } finally {
    tree.endWork()
  }
}

/** Turns an error into an outcome. Rethrows program and journal errors, which no agent can handle. */
function mistake(tree: Tree, error: unknown): ToolOutcome {
  if (error instanceof EchelonError) throw error
  const reason = tree.redact(messageOf(error))
  return { type: 'error', code: 'TOOL_ERROR', message: `a middleware failed: ${reason}` }
}

function perform(
  batch: Batch,
  call: ToolRequest,
  index: number,
  withheld: ToolOutcome | undefined,
): ToolOutcome | Promise<ToolOutcome> {
  const tool = batch.branch.tools.find(call.tool)
  if (tool === undefined) {
    return wasLeftBegun(batch, index)
      ? known(batch, mayHaveActed(call.tool), index)
      : unknownTool(call)
  }
  if (withheld !== undefined) return tellBegun(batch, tool, call, { index, withheld })
  switch (tool.does) {
    case 'reads':
      return callWithRetries(batch, tool, call, index)
    case 'idempotent':
      return actUnderKey(batch, tool, call, index)
    case 'acts':
      return actHeld(batch, tool, call, index)
  }
}

/** Returns the outcome of a call that was started and may not be repeated. */
async function tellBegun(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  { index, withheld }: { readonly index: number; readonly withheld: ToolOutcome },
): Promise<ToolOutcome> {
  const was = await findOutcome(batch.branch, tool, keyOf(batch, index), call)
  return was === 'not-done' ? withheld : known(batch, was, index)
}

/** Runs an idempotent tool. Its key makes it act once, so that it is called again after a crash. */
async function actUnderKey(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  index: number,
): Promise<ToolOutcome> {
  return isBegun(batch, index)
    ? callWithRetries(batch, tool, call, index)
    : actFirst(batch, tool, call, index)
}

/** Counts a call of an earlier process, whose count was lost with that process. */
function known(batch: Batch, outcome: ToolOutcome, index: number): ToolOutcome {
  if (outcome.type !== 'refused' && outcome.type !== 'denied') book(batch, index)
  return outcome
}

/** Runs an acting tool without suspension, after which it would be unknown whether it acted. */
async function actHeld(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  index: number,
): Promise<ToolOutcome> {
  const { waits } = batch.branch.tree
  waits.hold()
  try {
    return await actOnce(batch, tool, call, index)
  } finally {
    waits.release()
  }
}

/** Runs an acting tool, which is never simply repeated after a crash. */
async function actOnce(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  index: number,
): Promise<ToolOutcome> {
  if (!isBegun(batch, index)) return actFirst(batch, tool, call, index)
  const was = await findOutcome(batch.branch, tool, keyOf(batch, index), call)
  return was === 'not-done' ? callWithRetries(batch, tool, call, index) : known(batch, was, index)
}

/** Records the start of a tool with side effects before it runs. */
async function actFirst(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  index: number,
): Promise<ToolOutcome> {
  const { tree, path } = batch.branch
  // Before recording the start: a call that the budget refuses must never look started.
  const limit = take(batch, index)
  if (limit !== undefined) return { type: 'refused', limit }
  batch.intended ??= new Set()
  batch.intended.add(index)
  tree.journal.push({
    type: 'intended',
    path,
    seq: batch.seq,
    call: index,
    key: keyOf(batch, index),
  })
  await tree.journal.flush()
  return executeWithRetries(batch, tool, call, index)
}

const RETRYABLE: ReadonlySet<string> = new Set(['NET_TIMEOUT', 'RATE_LIMIT'])

/** Retries network failures as often as the tool allows; each attempt counts. */
function callWithRetries(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  index: number,
): ToolOutcome | Promise<ToolOutcome> {
  const limit = take(batch, index)
  return limit === undefined
    ? executeWithRetries(batch, tool, call, index)
    : { type: 'refused', limit }
}

/** Executes with retries. The first attempt has already been taken from the budget. */
function executeWithRetries(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  index: number,
): ToolOutcome | Promise<ToolOutcome> {
  const first = execute(batch, tool, call, index)
  const mayRetry = tool.does !== 'acts' && tool.retries > 0
  return mayRetry ? retryWhileWorth(batch, tool, { call, index, first }) : first
}

async function retryWhileWorth(
  batch: Batch,
  tool: Tool,
  {
    call,
    index,
    first,
  }: { call: ToolRequest; index: number; first: ToolOutcome | Promise<ToolOutcome> },
): Promise<ToolOutcome> {
  const { tree, path, services } = batch.branch
  const policy = { ...(services.retry ?? DEFAULT_RETRY), retries: tool.retries }
  let last = await first
  for (let attempts = 1; attempts <= tool.retries; attempts++) {
    if (last.type !== 'error' || !RETRYABLE.has(last.code)) return last
    const { message } = last
    const problem = { code: 'unavailable', message, retryable: true, attempts } as const
    const waitMs = waitBeforeRetry(policy, problem, tree.random())
    if (waitMs === undefined || waitMs >= tree.msLeft) return last
    batch.spans?.get(index)?.retry(last.code, waitMs)
    if (tree.audience.hears('retry-wait'))
      tree.audience.tell({ type: 'retry-wait', path, seq: batch.seq, problem, waitMs })
    await tree.pause(waitMs)
    if (tree.isCanceled || take(batch, index) !== undefined) return last
    batch.thrown?.delete(index)
    last = await execute(batch, tool, call, index)
  }
  return last
}

const keyOf = ({ branch, seq }: Batch, index: number): string =>
  `${branch.tree.runId}:${branch.path}${seq}:${index}`

function execute(
  batch: Batch,
  tool: Tool,
  call: ToolRequest,
  index: number,
): ToolOutcome | Promise<ToolOutcome> {
  const { tree } = batch.branch
  // A sub-agent has its own limits, and may wait for a person.
  const deadline = new Deadline(tree, tool.delegates ? undefined : tool.timeoutMs)
  const surroundings = new Surroundings(batch, tool, call, index)
  if (call.signal === undefined) return executeTool(tool, call.input, surroundings, deadline)
  return until(call.signal, deadline, () => executeTool(tool, call.input, surroundings, deadline))
}

/** Waits for the work until the middleware's signal aborts. */
async function until<Value>(
  signal: AbortSignal,
  deadline: Deadline,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const giveUp = (): void => deadline.abort('timeout')
  if (signal.aborted) giveUp()
  else signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** The context of a tool call; its parts are created lazily. */
class Surroundings implements ToolSurroundings {
  readonly #batch: Batch
  readonly #tool: Tool
  readonly #call: ToolCall
  readonly #index: number
  #children = 0
  #questions = 0

  constructor(batch: Batch, tool: Tool, call: ToolCall, index: number) {
    this.#batch = batch
    this.#tool = tool
    this.#call = call
    this.#index = index
  }

  get key(): string {
    return keyOf(this.#batch, this.#index)
  }
  get at(): number {
    return this.#batch.branch.tree.clock.now()
  }
  get timeZone(): string {
    return this.#batch.branch.tree.services.timeZone
  }
  get artifacts(): ArtifactStore {
    const { tree } = this.#batch.branch
    return safelyNamed(tree.services.artifacts, tree.redact)
  }
  get redact(): Redactor {
    return this.#batch.branch.tree.redact
  }
  threw(error: unknown): void {
    if (!this.#batch.branch.tree.audience.hears('tool-end')) return
    this.#batch.thrown ??= new Map()
    this.#batch.thrown.set(this.#index, thrownError(error))
  }
  progress(data: Json): void {
    const { branch, seq } = this.#batch
    const { tree, path } = branch
    if (tree.audience.hears('tool-progress'))
      tree.audience.tell({ type: 'tool-progress', path, seq, call: this.#call.id, data })
  }
  get worksFor(): NonNullable<ToolContext['worksFor']> {
    const { agent, caller, forSession: session } = this.#batch.branch
    return { agent, caller, session }
  }
  get traceparent(): string | undefined {
    return this.#batch.spans?.get(this.#index)?.traceparent
  }
  get ask(): NonNullable<ToolSurroundings['ask']> {
    return (question, schema, over) => {
      const place = { call: this.#index, number: this.#questions++ }
      return askWithinCall(this.#batch, place, { question, schema, over })
    }
  }
  get child(): NonNullable<ToolContext['child']> | undefined {
    if (!this.#tool.delegates) return undefined
    return <Input extends Json, State, Result>(
      run: ChildRun<Input, State, Result>,
    ): Promise<ChildEnd<Result>> => {
      const { branch, seq } = this.#batch
      const number = this.#children++
      const path = `${branch.path}${seq}.${this.#index}${number === 0 ? '' : `.${number}`}/`
      const { traceparent } = this
      return branch.delegate(
        branch,
        path,
        run,
        traceparent === undefined ? undefined : { traceparent },
      )
    }
  }
}
