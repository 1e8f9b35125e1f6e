import assert from 'node:assert/strict'
import type { Recorder, RunRecord } from '../../core/observability/run-record.ts'
import { casesOf, type ContractCase } from '../contract.ts'

/** A recorder, and a way to read everything it has kept. */
export interface RecorderTrial {
  readonly recorder: Recorder
  readonly kept: () => string | Promise<string>
  /** Makes its writes fail. Adds a case. */
  readonly obstruct?: () => void | Promise<void>
}

/**
 * The requirements of every `Recorder`: `for (const { name, holds } of recorderContract(open))
 * test(name, holds)`.
 * @param open a recorder that has kept nothing yet
 */
export function recorderContract(
  open: () => RecorderTrial | Promise<RecorderTrial>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('keeps a run’s records without the user’s text', async (trial) => {
      for (const record of RECORDS) trial.recorder.record(record)
      const kept = await trial.kept()
      assert.notEqual(kept, '')
      assert.ok(!kept.includes(TEXT), 'the text of the user is kept')
    }),
    caseOf('never throws, for any records in any order', ({ recorder }) => {
      for (const record of RECORDS.toReversed()) recorder.record(record)
      for (const record of RECORDS) recorder.record(record)
    }),
    caseOf('never throws, even if writing fails', async (trial) => {
      await trial.obstruct?.()
      for (const record of RECORDS) trial.recorder.record(record)
    }),
  ]
}

/** A user's question. */
export const TEXT = 'What does the lamp in my bedroom cost?'
const OF_RUN = { ts: '2025-09-08T00:00:00.000+00:00', runId: 'r1', taskId: 't1' }

/** The records of a finished run and of a rejected one. */
export const RECORDS: readonly RunRecord[] = [
  { type: 'run-refused', ts: OF_RUN.ts, agent: 'decide', code: 'INVALID_INPUT' },
  {
    ...OF_RUN,
    type: 'run-started',
    agent: 'decide',
    mode: 'hrm_small_then_escalate',
    models: ['offline/small', 'offline/big'],
    input: TEXT,
    settings: { budget: { max_tool_calls: 6 } },
    resumed: false,
  },
  { ...OF_RUN, type: 'run-acted', actor: 'planner', action: 'plan', details: { actions: 1 } },
  {
    ...OF_RUN,
    type: 'run-ended',
    agent: 'decide',
    mode: 'hrm_small_then_escalate',
    finishReason: 'success',
    limit: null,
    verified: true,
    seconds: 0.5,
    toolCalls: 1,
    actSteps: 1,
    rungs: [
      {
        tier: 'small',
        model: 'offline/small',
        llmCalls: 1,
        promptTokens: 10,
        completionTokens: 5,
        knownCost: 0,
        unpricedCalls: 0,
      },
    ],
    artifacts: [{ name: 'plot.png', bytes: 10, sha256: '0'.repeat(64) }],
  },
]
