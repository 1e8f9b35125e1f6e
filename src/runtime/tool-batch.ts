import type { CallTools } from '../core/effect.ts'
import type { ToolsCalled } from '../core/observation.ts'
import type { Tool, ToolCall, ToolOutcome } from '../core/tool.ts'
import { pause, startDeadline } from './deadline.ts'
import { executeTool } from './execute-tool.ts'
import { DEFAULT_RETRY, waitBeforeRetry } from './retry.ts'
import type { Tree } from './tree.ts'

interface Batch {
  readonly tree: Tree
  readonly effect: CallTools
  readonly seq: number
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
  seq: number,
  meter: Batch['meter'],
): Promise<ToolsCalled> {
  await tree.journal.flush()
  const batch: Batch = { tree, effect, seq, meter, left: effect.most ?? Infinity }
  const outcomes: ToolOutcome[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < effect.calls.length; index = next++) {
      const call = effect.calls[index]
      if (call !== undefined) outcomes[index] = await callOne(batch, call, index)
    }
  }
  const workers = Math.max(1, Math.min(effect.atOnce ?? 1, effect.calls.length))
  await Promise.all(Array.from({ length: workers }, work))
  return { type: 'tools-called', outcomes }
}

async function callOne(batch: Batch, call: ToolCall, index: number): Promise<ToolOutcome> {
  const { tree, seq } = batch
  const left = tree.leftOpen(seq)
  const settled = left?.settled.get(index)
  if (settled !== undefined) return settled
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
    const was = await reconcile(tool, key, call)
    if (was !== 'not-done') return was
  } else {
    tree.journal.push({ type: 'intended', path: '', seq, call: index, key })
    await tree.journal.flush()
  }
  return callWithRetries(batch, tool, call, index)
}

async function reconcile(
  tool: Tool,
  key: string,
  call: ToolCall,
): Promise<ToolOutcome | 'not-done'> {
  const unknown: ToolOutcome = {
    type: 'unknown',
    message: `${tool.name} was under way when the run stopped, and may have acted`,
  }
  try {
    const was = (await tool.reconcile?.(key, call.input)) ?? 'unknown'
    return was === 'unknown' ? unknown : was
  } catch {
    return unknown
  }
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
    const limit = await take(batch)
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
    if (tree.watched) tree.emit({ type: 'retry-wait', path: '', seq: batch.seq, problem, waitMs })
    await waitOut(tree, waitMs)
    if (tree.cancelSignal.aborted) return last
  }
}

async function waitOut(tree: Tree, ms: number): Promise<void> {
  const { clock } = tree.services
  const deadline = startDeadline({ clock, cancel: tree.cancelSignal, runMs: tree.msLeft })
  await pause(clock, ms, deadline.signal)
  deadline.release()
}

/** Takes one call from the effect's own allowance and from the ledger, or names what is used up. */
async function take(batch: Batch): Promise<string | undefined> {
  const one = { [batch.meter]: 1 }
  const { ledger } = batch.tree
  if (batch.left < 1) return batch.meter
  const limit = await ledger.reserve(one)
  if (limit !== undefined) return limit
  batch.left--
  ledger.settle(one, one)
  return undefined
}

const keyOf = ({ tree, seq }: Batch, index: number): string => `${tree.runId}:${seq}:${index}`

function execute(batch: Batch, tool: Tool, call: ToolCall, index: number): Promise<ToolOutcome> {
  const { tree, seq } = batch
  const { clock, timeZone, artifacts } = tree.services
  return executeTool(tool, call.input, {
    clock,
    timeZone,
    artifacts,
    cancel: tree.cancelSignal,
    runMs: tree.msLeft,
    key: keyOf(batch, index),
    at: clock.now(),
    progress(data) {
      if (tree.watched) tree.emit({ type: 'tool-progress', path: '', seq, call: call.id, data })
    },
  })
}
