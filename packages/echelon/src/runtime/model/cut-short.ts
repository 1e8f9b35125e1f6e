import { within } from '../../core/value/abortable.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Failed, Refused } from '../../core/agent/observation.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import { type Cause, Deadline } from './deadline.ts'
import type { Tree } from '../tree.ts'

/**
 * What a chain of middleware comes to, or `instead` when it is given up: a hook that hangs holds up
 * neither a cancel nor the end of the run's time. What it surrounds is given up at the same moment,
 * and has a turn of the clock to say what it came to.
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

/** What a hook that is given up throws says no more than that; a mistake of the program does. */
function onlyOurs(error: unknown): undefined {
  if (error instanceof EchelonError) throw error
}

/** Waits for what must be there before a run begins; one that is canceled does without it. */
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

/** A call that was given up before it was made. */
export function callGivenUp(cause: Cause): Refused | Failed {
  if (cause !== 'canceled') {
    return {
      type: 'refused',
      by: 'budget',
      limit: 'seconds',
      message: 'the time of the run was over',
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

/** A call that a cancel, or the end of the run's time, came before. */
export const callCutShort = (call: ToolCall, cause: Cause): ToolOutcome =>
  cause === 'canceled' ? notCalled(call) : { type: 'refused', limit: 'seconds' }

export const unknownTool = ({ tool }: ToolCall): ToolOutcome => ({
  type: 'error',
  code: 'UNKNOWN_TOOL',
  message: `there is no tool ${tool}`,
})
