import { EchelonError } from '../core/error.ts'
import type { PermitRequest, Verdict } from '../core/permission.ts'
import type { ToolCall } from '../core/tool.ts'
import type { Branch } from './branch.ts'
import type { Batch } from './tool-call.ts'

const ALLOW: Verdict = { type: 'allow' }

/** Whether a call may go ahead. At once where no rule looks at it. */
export function permitCall(
  { branch, seq }: Batch,
  call: ToolCall,
  index: number,
): Verdict | Promise<Verdict> {
  // What an earlier process did is done.
  if (branch.leftOpen(seq)?.settled.has(index) === true) return ALLOW
  return permit(branch, { type: 'call', call })
}

/** Tools that must not be offered to the model in this call. */
export async function deniedTools(
  branch: Branch,
  tools: readonly string[],
): Promise<ReadonlySet<string>> {
  const denied = new Set<string>()
  for (const tool of tools) {
    const verdict = await permit(branch, { type: 'offer', tool })
    if (verdict.type === 'deny') denied.add(tool)
  }
  return denied
}

/** @throws EchelonError NOT_PERMITTED when a rule denies the whole turn */
export async function permitTurn(branch: Branch, agent: string): Promise<void> {
  const verdict = await permit(branch, { type: 'turn', agent })
  if (verdict.type === 'deny') throw new EchelonError('NOT_PERMITTED', verdict.reason)
}

function permit(branch: Branch, request: PermitRequest): Verdict | Promise<Verdict> {
  const chain = branch.pipeline?.permit
  if (chain === undefined) return ownVerdict(branch, request)
  return permitSafely(chain(request, (asked) => Promise.resolve(ownVerdict(branch, asked)), branch))
}

/** A rule that fails allows nothing. */
async function permitSafely(ruling: Promise<Verdict>): Promise<Verdict> {
  try {
    return await ruling
  } catch (error) {
    if (error instanceof EchelonError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { type: 'deny', reason: `the permission could not be checked (${reason})` }
  }
}

/** What holds where no rule says otherwise. */
function ownVerdict({ tools }: Branch, request: PermitRequest): Verdict {
  if (request.type !== 'call') return ALLOW
  const { tool } = request.call
  if (tools.find(tool)?.needsApproval !== true) return ALLOW
  return { type: 'ask', why: `${tool} runs only when it is approved`, by: 'tool' }
}
