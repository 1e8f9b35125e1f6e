import type { CaseOptions } from '../agents/decide/case-options.ts'
import type { CaseResult } from '../agents/decide/case-result.ts'
import type { LogEntry } from '../agents/decide/log.ts'
import type { Mode } from '../agents/decide/settings.ts'
import { EchelonError } from '../core/error.ts'
import type { Clock } from '../core/ports.ts'
import { type CaseRunRecord, recordOf } from './case-run-record.ts'
import type { EvalCase } from './dataset.ts'

/** One run of a case that is to be made, or was made. */
export interface PlannedRun {
  readonly asked: EvalCase
  readonly mode: Mode
  /** From 1 on. */
  readonly round: number
  /** `latency` runs are made one at a time, and count for nothing but the time they take. */
  readonly purpose: 'success' | 'latency'
}

/** A case with all its runs. */
export interface CaseRuns {
  readonly asked: EvalCase
  readonly runs: readonly CaseRunRecord[]
  readonly latencyRuns: readonly CaseRunRecord[]
}

export interface DatasetRun {
  /** In the order of the data set; a case without a run was not reached. */
  readonly cases: readonly CaseRuns[]
  /** Whether every planned run was made. */
  readonly complete: boolean
}

export interface DatasetOptions {
  readonly mode: Mode
  /** Runs of each case. */
  readonly repeat: number
  /** Runs at the same time, but for those that measure latency. */
  readonly concurrency: number
  readonly clock: Pick<Clock, 'now'>
  /** Decides one case; the decider's `runCase`. */
  readonly decide: (input: string, options: CaseOptions) => Promise<CaseResult>
  /** Where the log of a run goes as it is made, and its end; default nowhere. */
  readonly traceOf?: (run: PlannedRun) => RunTrace
  /** Hears of every run that is over. */
  readonly onDone?: (run: PlannedRun, record: CaseRunRecord) => void
  /** Aborting it ends the evaluation with what there is. */
  readonly signal?: AbortSignal
  /** US dollars, after which no further run is begun; default no limit. */
  readonly stopAtCost?: number
}

/** The trace of one run, being written. */
export interface RunTrace {
  write(entry: LogEntry): void
  end(record: CaseRunRecord): void
}

/**
 * All runs of a data set: first each case as often as asked, several at once; then the easy cases
 * once more in `fallback_only`, one at a time, for their latency as a single user would feel it.
 */
export function plannedRuns(
  cases: readonly EvalCase[],
  { mode, repeat }: Pick<DatasetOptions, 'mode' | 'repeat'>,
): readonly PlannedRun[] {
  const rounds = Array.from({ length: repeat }, (_, index) => index + 1)
  const success = rounds.flatMap((round) =>
    cases.map((asked) => ({ asked, mode, round, purpose: 'success' as const })),
  )
  const latency = cases
    .filter(({ easy, expect }) => easy && expect === 'answered')
    .map((asked) => ({
      asked,
      mode: 'fallback_only' as const,
      round: 1,
      purpose: 'latency' as const,
    }))
  return [...success, ...latency]
}

/** Runs a data set; what goes wrong inside a run is in its record. */
export async function runDataset(
  cases: readonly EvalCase[],
  options: DatasetOptions,
): Promise<DatasetRun> {
  const planned = plannedRuns(cases, options)
  const done = new Map<PlannedRun, CaseRunRecord>()
  let spent = 0
  const work = async (runs: Iterator<PlannedRun>): Promise<void> => {
    for (let next = runs.next(); next.done !== true; next = runs.next()) {
      if (options.signal?.aborted === true || spent >= (options.stopAtCost ?? Infinity)) return
      const record = await runOne(next.value, options)
      // What was interrupted tells nothing about the case.
      if (record.finish_reason === 'canceled') continue
      done.set(next.value, record)
      spent += record.cost ?? 0
      options.onDone?.(next.value, record)
    }
  }
  // Workers share one iterator: each takes the next run when it is free.
  const together = planned.filter(({ purpose }) => purpose === 'success').values()
  await Promise.all(Array.from({ length: options.concurrency }, () => work(together)))
  await work(planned.filter(({ purpose }) => purpose === 'latency').values())
  return {
    cases: cases.map((asked) => ({
      asked,
      runs: recordsOf(asked, done, 'success'),
      latencyRuns: recordsOf(asked, done, 'latency'),
    })),
    complete: done.size === planned.length,
  }
}

async function runOne(planned: PlannedRun, options: DatasetOptions): Promise<CaseRunRecord> {
  const { asked, mode, round } = planned
  const { clock, signal } = options
  const trace = options.traceOf?.(planned)
  const began = clock.now()
  const result = await options
    .decide(asked.input, {
      mode,
      expectedTools: asked.expected_tools,
      goldAnswer: asked.gold_answer,
      seed: round,
      ...(asked.today === null ? {} : { today: asked.today }),
      ...(asked.timezone === null ? {} : { timeZone: asked.timezone }),
      ...(signal === undefined ? {} : { signal }),
      ...(trace === undefined ? {} : { onLog: (entry) => trace.write(entry) }),
    })
    .catch((error: unknown) => {
      throw inCase(asked, error)
    })
  const record = recordOf(asked, { result, mode, seconds: (clock.now() - began) / 1000 })
  trace?.end(record)
  return record
}

/** What cannot even be begun, such as an unknown tool, names the case to mend. */
function inCase({ id }: EvalCase, error: unknown): unknown {
  if (!(error instanceof EchelonError)) return error
  const { code, details } = error
  return new EchelonError(code, `case ${id}: ${error.message}`, { details, cause: error })
}

const recordsOf = (
  asked: EvalCase,
  done: ReadonlyMap<PlannedRun, CaseRunRecord>,
  purpose: PlannedRun['purpose'],
): readonly CaseRunRecord[] =>
  [...done]
    .filter(([run]) => run.asked === asked && run.purpose === purpose)
    .map(([, record]) => record)
