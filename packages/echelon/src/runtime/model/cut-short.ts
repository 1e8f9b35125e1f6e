import { within } from '../../core/value/abortable.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Failed, Refused } from '../../core/agent/observation.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import { type Cause, Deadline } from './deadline.ts'
import type { Tree } from '../tree.ts'

/**
 * Returns the outcome of a middleware chain, or `instead` when the chain is aborted: a hook that
 * hangs delays neither a cancel nor the run's time limit. The call inside the chain is aborted at the
 * same moment, and has one turn of the event loop to return its outcome.
 */
export async function untilGivenUp<Value>(
  { clock }: Tree,
  deadline: Deadline,
  chain: Promise<Value>,
  instead: (cause: Cause) => Value,
): Promise<Value> {
  try {
    return await deadline.race(chain)
  } catch (error) {
    const { cause } = deadline
    if (cause === undefined || error instanceof EchelonError) throw error
    return (await within(clock, 0, chain.catch(onlyOurs))) ?? instead(cause)
  } finally {
    deadline.release()
  }
}

/** Ignores errors of an aborted hook, but rethrows Echelon's own. */
function onlyOurs(error: unknown): undefined {
  if (error instanceof EchelonError) throw error
}

/** Waits for the preparation of a run; a canceled run skips it. */
export async function untilCanceled(tree: Tree, preparing: Promise<void>): Promise<void> {
  const deadline = new Deadline(tree, undefined)
  try {
    await deadline.race(preparing)
  } catch (error) {
    if (deadline.cause === undefined) throw error
  } finally {
    deadline.release()
  }
}

/** Returns the outcome of a model call that was aborted before it was made. */
export function callGivenUp(cause: Cause): Refused | Failed {
  if (cause !== 'canceled') {
    return {
      type: 'refused',
      by: 'budget',
      limit: 'seconds',
      message: 'the time limit of the run was reached',
    }
  }
  return {
    type: 'failed',
    error: { code: 'aborted', message: 'the run was canceled', retryable: false, attempts: 0 },
  }
}

export const notCalled = ({ tool }: ToolCall): ToolOutcome => ({
  type: 'error',
  code: 'TOOL_ERROR',
  message: `${tool} was not called, since the run was canceled`,
})

/** Returns the outcome of a tool call that was aborted before it was made. */
export const callCutShort = (call: ToolCall, cause: Cause): ToolOutcome =>
  cause === 'canceled' ? notCalled(call) : { type: 'refused', limit: 'seconds' }

export const unknownTool = ({ tool }: ToolCall): ToolOutcome => ({
  type: 'error',
  code: 'UNKNOWN_TOOL',
  message: `there is no tool ${tool}`,
})
