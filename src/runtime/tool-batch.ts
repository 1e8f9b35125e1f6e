import type { CallTools } from '../core/effect.ts'
import type { ToolsCalled } from '../core/observation.ts'
import { validate } from '../core/schema.ts'
import type { Tool, ToolCall, ToolOutcome } from '../core/tool.ts'
import { orAborted, startDeadline } from './deadline.ts'
import { safelyNamed } from './artifact-names.ts'
import { executeTool } from './execute-tool.ts'
import { DEFAULT_RETRY, waitBeforeRetry } from './retry.ts'
import type { Tree } from './tree.ts'

/** Where a batch stands in its run. */
export interface BatchPlace {
  readonly seq: number
  /** Number of its first call within the step, which may hold several batches. */
  readonly firstCall: number
}

interface Batch extends BatchPlace {
  readonly tree: Tree
  /** The counter that the actor's calls are booked under. */
  readonly meter: 'tools' | 'checks'
  /** Attempts that the effect still allows. */
  left: number
}

/**
 * A batch of tool calls. They are begun in plan order, `atOnce` at a time, and answered in plan
 * order; each attempt takes one from the budget first, and what it does not cover is refused.
 */
export async function callTools(
  tree: Tree,
  effect: CallTools,
  place: BatchPlace,
  meter: Batch['meter'],
): Promise<ToolsCalled> {
  const batch: Batch = { tree, ...place, meter, left: effect.most ?? Infinity }
  const outcomes: ToolOutcome[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < effect.calls.length; index = next++) {
      const call = effect.calls[index]
      if (call !== undefined) outcomes[index] = await callOne(batch, call, place.firstCall + index)
    }
  }
  const workers = Math.max(1, Math.min(effect.atOnce ?? 1, effect.calls.length))
  await Promise.all(Array.from({ length: workers }, work))
  return { type: 'tools-called', outcomes }
}

async function callOne(batch: Batch, call: ToolCall, index: number): Promise<ToolOutcome> {
  const { tree, seq } = batch
  // Throws once the journal is broken: nothing more is called then.
  await tree.journal.flush()
  const settled = tree.leftOpen(seq)?.settled.get(index)
  if (settled !== undefined) return known(batch, settled)
  if (tree.cancelSignal.aborted) return notCalled(call)
  const tool = tree.services.tools.find(call.tool)
  if (tool === undefined) {
    return { type: 'error', code: 'UNKNOWN_TOOL', message: `there is no tool ${call.tool}` }
  }
  const outcome = await (tool.does === 'acts'
    ? actOnce(batch, tool, call, index)
    : callWithRetries(batch, tool, call, index))
  if (tool.does !== 'reads') {
    tree.journal.push({ type: 'settled', path: '', seq, call: index, outcome })
    await tree.journal.flush()
  }
  return outcome
}

/** What an earlier process called counts here too, since its count was lost with it. */
function known(batch: Batch, outcome: ToolOutcome): ToolOutcome {
  if (outcome.type !== 'refused') book(batch)
  return outcome
}

const notCalled = ({ tool }: ToolCall): ToolOutcome => ({
  type: 'error',
  code: 'TOOL_ERROR',
  message: `${tool} was not called, since the run was canceled`,
})

/** An acting tool is put on record before it runs, and after a crash it is never just repeated. */
async function actOnce(
  batch: Batch,
  tool: Tool,
  call: ToolCall,
  index: number,
): Promise<ToolOutcome> {
  const { tree, seq } = batch
  const key = keyOf(batch, index)
  if (tree.leftOpen(seq)?.intended.has(index) === true) {
    const was = await reconcile(tree, tool, key, call)
    if (was !== 'not-done') return known(batch, was)
  } else {
    tree.journal.push({ type: 'intended', path: '', seq, call: index, key })
    await tree.journal.flush()
  }
  return callWithRetries(batch, tool, call, index)
}

/** Asks an acting tool what became of a call; a tool that cannot tell, or does not, leaves it open. */
async function reconcile(
  tree: Tree,
  tool: Tool,
  key: string,
  call: ToolCall,
): Promise<ToolOutcome | 'not-done'> {
  const unknown: ToolOutcome = {
    type: 'unknown',
    message: `${tool.name} was under way when the run stopped, and may have acted`,
  }
  const { clock } = tree.services
  const limits = { runMs: tree.msLeft, timeoutMs: tool.timeoutMs }
  const deadline = startDeadline({ clock, cancel: tree.cancelSignal, ...limits })
  try {
    const was = await orAborted(askTool(tool, key, call), deadline.signal)
    return was === 'unknown' ? unknown : was
  } catch {
    return unknown
  } finally {
    deadline.release()
  }
}

async function askTool(
  tool: Tool,
  key: string,
  call: ToolCall,
): Promise<ToolOutcome | 'not-done' | 'unknown'> {
  const checked = await validate(tool.input, call.input)
  // With arguments that do not fit it was never run.
  if (!checked.ok) return 'not-done'
  return (await tool.reconcile?.(key, checked.value)) ?? 'unknown'
}

const RETRYABLE: ReadonlySet<string> = new Set(['NET_TIMEOUT', 'RATE_LIMIT'])

/** A network failure is tried again as often as the tool allows; each try counts. */
async function callWithRetries(
  batch: Batch,
  tool: Tool,
  call: ToolCall,
  index: number,
): Promise<ToolOutcome> {
  const { tree } = batch
  let last: ToolOutcome | undefined
  for (let attempts = 1; ; attempts++) {
    const limit = take(batch)
    if (limit !== undefined) return last ?? { type: 'refused', limit }
    last = await execute(batch, tool, call, index)
    const mayRetry = tool.does !== 'acts' && attempts <= tool.retries
    if (!mayRetry || last.type !== 'error' || !RETRYABLE.has(last.code)) return last
    const problem = {
      code: 'unavailable',
      message: last.message,
      retryable: true,
      attempts,
    } as const
    const policy = { ...(tree.services.retry ?? DEFAULT_RETRY), retries: tool.retries }
    const waitMs = waitBeforeRetry(policy, problem, tree.random())
    if (waitMs === undefined || waitMs >= tree.msLeft) return last
    if (tree.audience.hears('retry-wait'))
      tree.audience.tell({ type: 'retry-wait', path: '', seq: batch.seq, problem, waitMs })
    await tree.pause(waitMs)
    if (tree.cancelSignal.aborted) return last
  }
}

/**
 * Takes one call from the effect's own allowance and from the ledger, or names what is used up.
 * At once, not after a wait: calls of the same time must not take the same last one.
 */
function take(batch: Batch): string | undefined {
  const { tree, meter, left } = batch
  if (left < 1) return meter
  if (tree.msLeft <= 0) return 'seconds'
  const limit = tree.ledger.impossible({ [meter]: 1 })
  if (limit === undefined) book(batch)
  return limit
}

function book(batch: Batch): void {
  batch.left--
  batch.tree.ledger.spend({ [batch.meter]: 1 })
}

const keyOf = ({ tree, seq }: Batch, index: number): string => `${tree.runId}:${seq}:${index}`

function execute(batch: Batch, tool: Tool, call: ToolCall, index: number): Promise<ToolOutcome> {
  const { tree, seq } = batch
  const { clock, timeZone, artifacts } = tree.services
  return executeTool(tool, call.input, {
    clock,
    timeZone,
    artifacts: safelyNamed(artifacts, tree.redact),
    cancel: tree.cancelSignal,
    runMs: tree.msLeft,
    key: keyOf(batch, index),
    at: clock.now(),
    progress(data) {
      if (tree.audience.hears('tool-progress'))
        tree.audience.tell({ type: 'tool-progress', path: '', seq, call: call.id, data })
    },
  })
}
