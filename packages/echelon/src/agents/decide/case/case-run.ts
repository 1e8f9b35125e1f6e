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

/** A case under way. */
export interface CaseRun {
  /** The run itself: its events are redacted, its state is what the agent works with. */
  readonly run: Run<DecideResult, DecideState>
  /**
   * What came of the case. Rejects with MODEL_FAILED where no model could be asked at all, such as with
   * a wrong key on every rung, and as well as `outcome` does.
   */
  readonly result: Promise<CaseResult>
  /**
   * The same where no model could be asked: `problem` says why. Rejects when the journal failed, the
   * program has a mistake, or the run lets go of this process (RUN_SUSPENDED).
   */
  readonly outcome: Promise<CaseResult>
  /** The task as it stands now, redacted but for the answer. */
  readonly view: () => TaskView
  /** The result of whoever stops waiting now: canceled, with what there is. */
  readonly partial: () => CaseResult
  /** Lets go of the case at the next moment at which nothing is lost: see `Run.suspend`. */
  readonly suspend: () => void
}

interface Parts {
  readonly run: Run<DecideResult, DecideState>
  readonly log: CaseLog
  readonly policy: Policy
  readonly taskId: string
  readonly contextId: string
  readonly record: CaseRecord | undefined
  /** Hides what the settings say in all that is shown, but for the answer. */
  readonly redact: Redactor
  readonly asked: AskedModels
}

/** What a caller holds of a run of the decision agent. */
export function caseRun(parts: Parts): CaseRun {
  const { run, log, policy, taskId, contextId, record, redact, asked } = parts
  const resultOf = (end: DecideResult): CaseResult => {
    const { id: runId, spent } = run
    const given = { runId, end, spent, rungs: policy.rungs, logs: [...log.entries], redact }
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
      // Whoever works on it has it on record to its end: an end told here would take that one's place.
      if (code === 'RUN_BUSY') record?.refused(code)
      else {
        // It can be resumed; what it took until here is spent all the same.
        const finish_reason = code === 'RUN_SUSPENDED' ? 'suspended' : 'failed'
        record?.ended({ ...partial(), finish_reason }, run.ownSpent)
      }
      throw error
    },
  )
  const result = outcome.then(assertAsked)
  // Whoever awaits one of them hears of a failure; nobody awaiting it is no crash.
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

/** A case as its callers share it: what it came to, also where no model could be asked. */
export const executionOf = ({ outcome, partial }: CaseRun): Execution<CaseResult> => ({
  result: outcome,
  partial,
})
