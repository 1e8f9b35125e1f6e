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

/** Who is to be asked, and about what. */
interface Asked {
  readonly index: number
  readonly verdict: Extract<Verdict, { type: 'ask' }>
  /** Whether middleware changed a call that was permitted as it was. */
  readonly isChanged?: boolean
}

/**
 * Has somebody approve a call. They are not asked about one that cannot run.
 * @returns nothing when it may; else what the agent sees instead of a result
 */
export async function approve(
  batch: Batch,
  call: ToolCall,
  asked: Asked,
): Promise<ToolOutcome | undefined> {
  return (await whyNot(batch, call, asked.index)) ?? askApproval(batch, call, asked)
}

/** What comes of a call that cannot run, whoever approves it; nothing of one that can. */
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
    // A check that fails or takes too long is the tool's failure, and says so when it is called.
    return cause === 'canceled' || cause === 'seconds' ? callCutShort(call, cause) : undefined
  } finally {
    tree.endWork()
    deadline.release()
  }
}

/**
 * Asks whether a call may go ahead, and waits. The request belongs to the run and to this very
 * call: an answer that was given to another one, before a crash, does not hold.
 * @returns nothing when it may; else what the agent sees instead of a result
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
    // Another call under the same number is another request.
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
  // Nobody is asked after a cancel, which may come while others are.
  const seen = await tree.requests.inTurn(async () =>
    tree.isCanceled ? undefined : request(branch, asking),
  )
  if (seen === undefined) return notCalled(call)
  // On record there may be an answer that nobody compared with what it answers.
  const choice = isForOther(seen.reply, hash) ? undefined : choiceOf(seen.reply)
  if (isForGood && (choice === 'always' || choice === 'never')) verdict.remember?.(choice)
  if (choice === 'once' || choice === 'always') return undefined
  return { type: 'denied', reason: 'the user did not approve it' }
}

/** Of all that is approved: the call, which rule asks for it and why, and what the tool says of itself. */
function hashOf(
  { branch }: Batch,
  { tool, input }: ToolCall,
  { why, rule }: Asked['verdict'],
): string {
  const { description = '', jsonSchema = {} } = branch.tools.find(tool) ?? {}
  const text = canonicalJson({ tool, input, why, rule: rule ?? null, description, jsonSchema })
  return branch.services.hash?.(text) ?? text
}

/** Where nobody remembers an answer, none allows more than this call; a `never` is taken as a `deny`. */
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

/** What is done of a batch that waits goes on record, so that no resume does it twice. */
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
