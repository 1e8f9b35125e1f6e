import { canonicalJson } from '../../core/value/canonical-json.ts'
import {
  type Approval,
  APPROVALS,
  type ApprovalRequest,
  type Verdict,
} from '../../core/agent/permission.ts'
import { choiceOf, isForOther } from '../../core/agent/reply.ts'
import { validate } from '../../core/schema/schema.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import { book, usedUp } from '../tools/batch-allowance.ts'
import { callCutShort, notCalled, unknownTool } from '../model/cut-short.ts'
import { Deadline } from '../model/deadline.ts'
import { request, type RequestSpec } from './request.ts'
import type { Batch } from '../tools/batch.ts'

/** A call that needs approval. */
interface Asked {
  readonly index: number
  readonly verdict: Extract<Verdict, { type: 'ask' }>
  /** Whether middleware changed the call after it was permitted. */
  readonly isChanged?: boolean
}

/**
 * Asks for approval of a call, unless the call cannot run anyway.
 * @returns `undefined` if the call may run; else the outcome for the agent
 */
export async function approve(
  batch: Batch,
  call: ToolCall,
  asked: Asked,
): Promise<ToolOutcome | undefined> {
  return (await whyNot(batch, call, asked.index)) ?? askApproval(batch, call, asked)
}

/** Returns the outcome of a call that cannot run even if approved; `undefined` if it can. */
async function whyNot(
  batch: Batch,
  call: ToolCall,
  index: number,
): Promise<ToolOutcome | undefined> {
  const { tree, tools } = batch.branch
  const tool = tools.find(call.tool)
  if (tool === undefined) return unknownTool(call)
  const limit = usedUp(batch, index)
  if (limit !== undefined) return { type: 'refused', limit }
  const deadline = new Deadline(tree, tool.timeoutMs)
  tree.beginWork()
  try {
    const checking = Promise.resolve(validate(tool.input, call.input))
    const checked = await deadline.race(checking)
    if (checked.ok) return undefined
    book(batch, index)
    return { type: 'error', code: 'INVALID_ARGS', message: checked.message }
  } catch {
    const { cause } = deadline
    // A check that throws or takes too long is the tool's failure, reported when the tool is called.
    return cause === 'canceled' || cause === 'seconds' ? callCutShort(call, cause) : undefined
  } finally {
    tree.endWork()
    deadline.release()
  }
}

/**
 * Asks whether a call may run, and waits for the answer. The request is bound to the run and this
 * exact call: an answer that was given for another call, before a crash, does not count.
 * @returns `undefined` if the call may run; else the outcome for the agent
 */
async function askApproval(
  batch: Batch,
  call: ToolCall,
  { index, verdict, isChanged = false }: Asked,
): Promise<ToolOutcome | undefined> {
  const { branch, seq } = batch
  const { tree, path } = branch
  const hash = hashOf(batch, call, verdict)
  const open = branch.leftOpen(seq)?.requests.get(index)
  const holds = open?.hash === hash
  const isForGood = verdict.remember !== undefined && verdict.eachTime !== true
  const choices = isForGood ? APPROVALS : FOR_THIS_CALL
  const about = aboutCall(call, { why: verdict.why, choices, hash })
  recordDone(batch)
  const asking: RequestSpec = {
    // A different call with the same number needs a new request.
    id: holds
      ? open.id
      : `${tree.runId}:${path}${seq}.${index}${open === undefined && !isChanged ? '' : `.${hash.slice(0, 8)}`}`,
    seq,
    about: { ...about },
    call: index,
    hash,
    askedAt: holds ? open.at : undefined,
    expiresInMs: Infinity,
  }
  // Do not ask after a cancel, which may come while other requests are open.
  const seen = await tree.requests.inTurn(async () =>
    tree.isCanceled ? undefined : request(branch, asking),
  )
  if (seen === undefined) return notCalled(call)
  // A recorded answer may never have been compared with its request.
  const choice = isForOther(seen.reply, hash) ? undefined : choiceOf(seen.reply)
  if (isForGood && (choice === 'always' || choice === 'never')) verdict.remember?.(choice)
  if (choice === 'once' || choice === 'always') return undefined
  return { type: 'denied', reason: 'the user did not approve it' }
}

/** Returns the hash of all that is approved: call, rule, reason, and the tool's description and schema. */
function hashOf(
  { branch }: Batch,
  { tool, input }: ToolCall,
  { why, rule }: Asked['verdict'],
): string {
  const { description = '', jsonSchema = {} } = branch.tools.find(tool) ?? {}
  const text = canonicalJson({ tool, input, why, rule: rule ?? null, description, jsonSchema })
  return branch.services.hash?.(text) ?? text
}

/** Choices if answers are not remembered. A `never` then counts as `deny`. */
const FOR_THIS_CALL: readonly Approval[] = ['once', 'deny']

const aboutCall = (
  call: ToolCall,
  asked: Pick<ApprovalRequest, 'why' | 'choices' | 'hash'>,
): ApprovalRequest => ({
  type: 'approval',
  tool: call.tool,
  call: call.id,
  input: call.input,
  ...asked,
})

/** Records the finished calls of a batch that waits, so that a resume does not repeat them. */
export function recordDone(batch: Batch): void {
  if (batch.waits) return
  batch.waits = true
  const { branch, seq, firstCall, outcomes } = batch
  for (const [place, outcome] of outcomes.entries()) {
    if (outcome === undefined) continue
    const call = firstCall + place
    branch.tree.journal.push({ type: 'settled', path: branch.path, seq, call, outcome })
  }
}
