import { EchelonError } from '../../core/value/error.ts'
import type { Direct } from '../../core/agent/observation.ts'
import type { Pipeline } from '../../core/extension/middleware.ts'
import type { PermitRequest, Verdict } from '../../core/agent/permission.ts'
import type { ToolCall } from '../../core/tool/tool.ts'
import type { Branch } from '../branch.ts'
import { callGivenUp, untilGivenUp } from '../model/cut-short.ts'
import { type Cause, Deadline } from '../model/deadline.ts'
import type { Batch } from '../tools/batch.ts'

const ALLOW: Verdict = { type: 'allow' }

/** The verdict of the rules, or the reason why checking them was aborted. */
export type Ruling = Verdict | { readonly type: 'given-up'; readonly cause: Cause }

/** Returns whether a call may run; synchronously if no rule checks it. */
export function permitCall(
  { branch, seq }: Batch,
  call: ToolCall,
  index: number,
): Ruling | Promise<Ruling> {
  const open = branch.leftOpen(seq)
  // A call of an earlier process needs no permission: it is done, or reported as `unknown` on cancel.
  if (open?.settled.has(index) === true) return ALLOW
  if (branch.tree.isCanceled && open?.intended.has(index) === true) return ALLOW
  return permit(branch, { type: 'call', call })
}

/** Checks the rules for a call before the agent makes it, without asking for approval. */
export async function permitAhead(branch: Branch, call: ToolCall): Promise<Direct> {
  const ruling = await permit(branch, { type: 'call', call, ahead: true })
  if (ruling.type === 'given-up') return callGivenUp(ruling.cause)
  if (ruling.type !== 'ask') return { type: 'permitted', verdict: ruling }
  const { remember: _, ...verdict } = ruling
  return { type: 'permitted', verdict }
}

/** Returns the tools that must not be offered in this model call, or why the check was aborted. */
export async function deniedTools(
  branch: Branch,
  tools: readonly string[],
): Promise<ReadonlySet<string> | Cause> {
  const denied = new Set<string>()
  for (const tool of tools) {
    const verdict = await permit(branch, { type: 'offer', tool })
    if (verdict.type === 'given-up') return verdict.cause
    if (verdict.type === 'deny') denied.add(tool)
  }
  return denied
}

/** @throws EchelonError NOT_PERMITTED unless the rules allow the whole turn, or it is canceled */
export async function permitTurn(branch: Branch, agent: string): Promise<void> {
  const verdict = await permit(branch, { type: 'turn', agent })
  if (verdict.type === 'deny') throw new EchelonError('NOT_PERMITTED', verdict.reason)
  if (verdict.type === 'given-up' && verdict.cause !== 'canceled') {
    throw new EchelonError(
      'NOT_PERMITTED',
      'the time limit of the run was reached before it was permitted',
    )
  }
}

function permit(branch: Branch, request: PermitRequest): Ruling | Promise<Ruling> {
  return branch.pipeline?.permit === undefined
    ? defaultVerdict(branch, request)
    : askRules(branch, branch.pipeline.permit, request)
}

/** Checks the rules, within the run's time. A rule that throws denies the request. */
async function askRules(
  branch: Branch,
  rules: NonNullable<Pipeline['permit']>,
  request: PermitRequest,
): Promise<Ruling> {
  const { tree } = branch
  tree.beginWork()
  try {
    const own = (asked: PermitRequest): Promise<Verdict> =>
      Promise.resolve(defaultVerdict(branch, asked))
    const ruling: Promise<Ruling> = rules(request, own, branch)
    const deadline = new Deadline(tree, Infinity)
    return await untilGivenUp(tree, deadline, ruling, (cause) => ({ type: 'given-up', cause }))
  } catch (error) {
    if (error instanceof EchelonError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { type: 'deny', reason: `the permission could not be checked (${reason})` }
  } finally {
    tree.endWork()
  }
}

/** Returns the verdict if no rule decides. */
function defaultVerdict({ tools }: Branch, request: PermitRequest): Verdict {
  if (request.type !== 'call') return ALLOW
  const { tool } = request.call
  if (tools.find(tool)?.needsApproval !== true) return ALLOW
  return { type: 'ask', why: `${tool} runs only when it is approved`, by: 'tool' }
}
