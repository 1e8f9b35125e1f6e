import { EchelonError } from '../../../core/value/error.ts'
import type { Run } from '../../../runtime/run.ts'
import type { Redactor } from '../../../core/redaction/redaction.ts'
import { type AskedModels, assertAsked } from './asked-models.ts'
import type { CaseLog } from './case-log.ts'
import type { CaseRecord } from './case-record.ts'
import { type CaseResult, caseResult } from './case-result.ts'
import { gathered } from './gathered.ts'
import type { Policy } from '../settings/modes.ts'
import type { DecideResult, DecideState } from '../state.ts'
import type { Execution } from './shared-executions.ts'
import { type TaskView, taskView } from './task-view.ts'

/** A case in progress. */
export interface CaseRun {
  /** The run itself. Its events are redacted; its state is not. */
  readonly run: Run<DecideResult, DecideState>
  /**
   * The result of the case. Rejects with MODEL_FAILED if no model could be asked at all, such as with a wrong key
   * on every rung, and whenever `outcome` rejects.
   */
  readonly result: Promise<CaseResult>
  /**
   * Like `result`, but resolves if no model could be asked: `problem` says why. Rejects if the journal failed, the
   * program has a bug, or this process suspends the run (RUN_SUSPENDED).
   */
  readonly outcome: Promise<CaseResult>
  /** The current view of the task. Everything but the answer is redacted. */
  readonly view: () => TaskView
  /** The result for a caller that stops waiting now: canceled, with what is known so far. */
  readonly partial: () => CaseResult
  /** Suspends the case at the next safe point: see `Run.suspend`. */
  readonly suspend: () => void
}

interface Parts {
  readonly run: Run<DecideResult, DecideState>
  readonly log: CaseLog
  readonly policy: Policy
  readonly taskId: string
  readonly contextId: string
  readonly record: CaseRecord | undefined
  /** Redacts everything shown, except the answer, as the settings say. */
  readonly redact: Redactor
  readonly asked: AskedModels
}

/** Creates a caller's handle to a run of the decision agent. */
export function caseRun(parts: Parts): CaseRun {
  const { run, log, policy, taskId, contextId, record, redact, asked } = parts
  const resultOf = (end: DecideResult): CaseResult => {
    // A fork's own: the rest was paid by the run that it was forked from.
    const { id: runId, ownSpent: spent } = run
    const given = {
      runId,
      end,
      spent,
      rungs: policy.rungs,
      asked: policy.asked,
      logs: [...log.entries],
      redact,
    }
    return caseResult({ ...given, problem: asked.problemOf(end) })
  }
  const partial = (): CaseResult =>
    resultOf({ reason: 'canceled', limit: null, loop: gathered(run.state), verified: false })
  const outcome = run.result.then(
    (ended) => {
      const whole = resultOf(ended.result)
      record?.ended(whole, run.ownSpent)
      return whole
    },
    (error: unknown) => {
      const code = error instanceof EchelonError ? error.code : undefined
      // The process that works on the case records its end; recording one here would replace it.
      if (code === 'RUN_BUSY') record?.refused(code)
      else {
        // The run can be resumed, but what it used so far is still spent.
        const finish_reason = code === 'RUN_SUSPENDED' ? 'suspended' : 'failed'
        record?.ended({ ...partial(), finish_reason }, run.ownSpent)
      }
      throw error
    },
  )
  const result = outcome.then(assertAsked)
  // Callers that await either promise see the failure; an unawaited one must not crash the process.
  outcome.catch(() => undefined)
  result.catch(() => undefined)
  return {
    run,
    result,
    outcome,
    partial,
    suspend: () => run.suspend(),
    view: () =>
      taskView({
        taskId,
        contextId,
        state: run.state,
        policy,
        spent: run.spent,
        logs: [...log.entries],
        redact,
        timestamp: log.lastTimestamp,
      }),
  }
}

/** The execution that callers with the same key share. It also resolves if no model could be asked. */
export const executionOf = ({ outcome, partial }: CaseRun): Execution<CaseResult> => ({
  result: outcome,
  partial,
})
