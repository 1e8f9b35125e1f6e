import { canonicalJson } from '../../core/value/canonical-json.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Pipeline, ToolRequest } from '../../core/extension/middleware.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import { approve } from '../people/approval.ts'
import { isBegun, wasLeftBegun } from './begun-call.ts'
import { callCutShort, untilGivenUp } from '../model/cut-short.ts'
import { Deadline } from '../model/deadline.ts'
import { permitCall } from '../people/permit.ts'
import type { Batch } from './batch.ts'

/** A permitted call and the function that performs it. */
interface Chained {
  readonly call: ToolCall
  readonly index: number
  /** Outcome of a call that may not be made, unless it ran before a crash. */
  readonly withheld: ToolOutcome | undefined
  readonly perform: (
    batch: Batch,
    call: ToolRequest,
    index: number,
    withheld: ToolOutcome | undefined,
  ) => ToolOutcome | Promise<ToolOutcome>
}

/** Runs a tool call through the middleware. */
export async function throughMiddleware(
  batch: Batch,
  chain: NonNullable<Pipeline['tool']>,
  chained: Chained,
): Promise<ToolOutcome> {
  const { branch } = batch
  const { call, index } = chained
  // A sub-agent has its own limits, and may wait for a person.
  const limitMs = branch.tools.find(call.tool)?.delegates === true ? undefined : Infinity
  const deadline = new Deadline(branch.tree, limitMs)
  const permitted = new Set<string>()
  const next = async (passed: ToolRequest): Promise<ToolOutcome> => {
    const refused = await refusalOf(batch, chained, { passed, permitted, deadline })
    const { cause } = deadline
    // The run has abandoned this chain.
    if (cause !== undefined) return callCutShort(call, cause)
    if (refused !== undefined && !wasLeftBegun(batch, index)) return refused
    return chained.perform(batch, passed, index, chained.withheld ?? refused)
  }
  const working = async (): Promise<ToolOutcome> => chain(call, next, branch)
  return untilGivenUp(branch.tree, deadline, working(), (cause) =>
    isBegun(batch, index)
      ? { type: 'unknown', message: `${call.tool} was begun and may have acted` }
      : callCutShort(call, cause),
  )
}

interface Passed {
  readonly passed: ToolRequest
  /** Other inputs of this call that were permitted. */
  readonly permitted: Set<string>
  readonly deadline: Deadline
}

/**
 * Middleware may change a call's input, but not its tool. The permission was for the original call,
 * so the rules are checked again for another input.
 */
async function refusalOf(
  batch: Batch,
  { call, index }: Chained,
  { passed, permitted, deadline }: Passed,
): Promise<ToolOutcome | undefined> {
  if (passed.tool !== call.tool) throw otherTool(call, passed)
  if (passed.input === call.input) return undefined
  const input = canonicalJson(passed.input)
  if (input === canonicalJson(call.input) || permitted.has(input)) return undefined
  const { id, tool } = call
  const changed = { id, tool, input: passed.input }
  const ruling = await permitCall(batch, changed, index)
  if (ruling.type === 'given-up') return callCutShort(call, ruling.cause)
  if (ruling.type === 'deny') return { type: 'denied', reason: ruling.reason }
  if (ruling.type === 'ask') {
    const { tree } = batch.branch
    tree.endWork()
    try {
      const asked = { index, verdict: ruling, isChanged: true }
      const refused = await deadline.untimed(approve(batch, changed, asked))
      if (refused !== undefined) return refused
    } finally {
      tree.beginWork()
    }
  }
  permitted.add(input)
  return undefined
}

const otherTool = (call: ToolCall, passed: ToolCall): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `a middleware turned a call of ${call.tool} into one of ${passed.tool}; it may change the input, not the tool`,
  )
