import type { CaseOptions } from '../agents/decide/case/case-options.ts'
import type { CaseResult } from '../agents/decide/case/case-result.ts'
import type { LogEntry } from '../agents/decide/case/log.ts'
import { failsForGood } from '../agents/decide/plan/model-failure.ts'
import type { Mode } from '../agents/decide/settings/settings.ts'
import { EchelonError } from '../core/value/error.ts'
import { describeFailure } from '../core/model/model-failed.ts'
import type { Clock } from '../core/agent/ports.ts'
import { type CaseRunRecord, recordOf } from './case-run-record.ts'
import type { EvalCase } from './dataset.ts'

/** One planned or finished run of a case. */
export interface PlannedRun {
  readonly asked: EvalCase
  readonly mode: Mode
  /** From 1. */
  readonly round: number
  /** `latency` runs are made one at a time and count only for latency. */
  readonly purpose: 'success' | 'latency'
}

/** A case with all its runs. */
export interface CaseRuns {
  readonly asked: EvalCase
  readonly runs: readonly CaseRunRecord[]
  readonly latencyRuns: readonly CaseRunRecord[]
}

export interface DatasetRun {
  /** In data set order; a case without runs was not reached. */
  readonly cases: readonly CaseRuns[]
  readonly planned: number
  readonly made: number
  /** Why some runs were not made; null if all were. */
  readonly stoppedBy: 'interrupt' | 'cost' | 'unknown cost' | 'model' | null
  /** The model error that would stop every further run, if it ended the evaluation. */
  readonly stoppedSince?: string
}

export interface DatasetOptions {
  readonly mode: Mode
  /** Runs per case. */
  readonly repeat: number
  /** Maximum concurrent runs, except for latency runs. */
  readonly concurrency: number
  readonly clock: Pick<Clock, 'now'>
  /** Decides one case; the decider's `runOutcome`. */
  readonly decide: (input: string, options: CaseOptions, run: PlannedRun) => Promise<CaseResult>
  /**
   * Whether an answer to a question can be checked: the decider's `canCheck`. Default: derived from
   * the run's own result.
   */
  readonly canCheck?: (input: string, options: Pick<CaseOptions, 'today' | 'timeZone'>) => boolean
  /** The destination of a run's log and end. Default: none. */
  readonly traceOf?: (run: PlannedRun) => RunTrace
  /** Called after each run. */
  readonly onDone?: (run: PlannedRun, record: CaseRunRecord, result: CaseResult) => void
  /** Whether the known answers are withheld from the runs, as in production. Default false. */
  readonly withoutGold?: boolean
  /** Aborting it ends the evaluation with the results so far. */
  readonly signal?: AbortSignal
  /**
   * US dollars. No run starts after this cost, or after a run of unknown cost. Default: no limit.
   */
  readonly stopAtCost?: number
}

/** The trace of one run while it is written. */
export interface RunTrace {
  write(entry: LogEntry): void
  end(record: CaseRunRecord): void
}

/**
 * All runs of a data set: first each case as often as requested, concurrently; then the easy cases
 * once more in `fallback_only`, one at a time, to measure the latency of a single user.
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

/**
 * Runs a data set. Failures inside a run are part of its record. The evaluation ends with the first
 * run whose models cannot be used because of a wrong key, account or name.
 * @throws EchelonError that names the case, when one cannot be started; no further run is started
 * then
 */
export async function runDataset(
  cases: readonly EvalCase[],
  options: DatasetOptions,
): Promise<DatasetRun> {
  const planned = plannedRuns(cases, options)
  const done = new Map<PlannedRun, CaseRunRecord>()
  const failure = new AbortController()
  const signal = AbortSignal.any([failure.signal, ...(options.signal ? [options.signal] : [])])
  const purse = new Purse(options.stopAtCost)
  let lost: string | undefined
  const work = async (runs: Iterator<PlannedRun>): Promise<void> => {
    for (let next = runs.next(); next.done !== true; next = runs.next()) {
      if (signal.aborted || purse.stoppedBy !== null) return
      const { record, result } = await runOne(next.value, { ...options, signal })
      // An interrupted run says nothing about the case.
      if (record.finish_reason === 'canceled') continue
      const reason = lostModel(result)
      if (reason !== undefined) {
        lost ??= reason
        failure.abort()
        return
      }
      done.set(next.value, record)
      purse.pay(record.cost)
      options.onDone?.(next.value, record, result)
    }
  }
  const workers = (purpose: PlannedRun['purpose'], count: number): Promise<unknown> => {
    // Workers share one iterator; each takes the next run when it is free.
    const runs = planned.filter((run) => run.purpose === purpose).values()
    const all = Array.from({ length: count }, () => work(runs))
    return Promise.all(all).catch((error: unknown) => {
      failure.abort()
      throw error
    })
  }
  await workers('success', options.concurrency)
  await workers('latency', 1)
  const stoppedBy = lost === undefined ? (purse.stoppedBy ?? 'interrupt') : 'model'
  return {
    cases: cases.map((asked) => ({
      asked,
      runs: recordsOf(asked, done, 'success'),
      latencyRuns: recordsOf(asked, done, 'latency'),
    })),
    planned: planned.length,
    made: done.size,
    stoppedBy: done.size === planned.length ? null : stoppedBy,
    ...(lost !== undefined && { stoppedSince: lost }),
  }
}

/**
 * The error of a model with a wrong key, account or name. Every further run would fail in the same
 * way. An unavailable model may recover.
 */
const lostModel = ({ problem }: CaseResult): string | undefined =>
  problem !== null && failsForGood(problem) ? describeFailure(problem) : undefined

/** Tracks the cost of the runs against the limit. */
class Purse {
  #spent = 0
  #isUnknown = false
  readonly #most: number | undefined

  constructor(most: number | undefined) {
    this.#most = most
  }

  pay(cost: number | null): void {
    this.#spent += cost ?? 0
    this.#isUnknown ||= cost === null
  }

  get stoppedBy(): 'cost' | 'unknown cost' | null {
    if (this.#most === undefined) return null
    if (this.#isUnknown) return 'unknown cost'
    return this.#spent >= this.#most ? 'cost' : null
  }
}

interface Ran {
  readonly record: CaseRunRecord
  readonly result: CaseResult
}

async function runOne(planned: PlannedRun, options: DatasetOptions): Promise<Ran> {
  const { asked, mode, round } = planned
  const { clock, signal } = options
  const trace = options.traceOf?.(planned)
  const day = {
    ...(asked.today === null ? {} : { today: asked.today }),
    ...(asked.timezone === null ? {} : { timeZone: asked.timezone }),
  }
  const began = clock.now()
  const result = await options
    .decide(
      asked.input,
      {
        mode,
        expectedTools: asked.expected_tools,
        goldAnswer: options.withoutGold === true ? null : asked.gold_answer,
        seed: round,
        ...day,
        ...(signal === undefined ? {} : { signal }),
        ...(trace === undefined ? {} : { onLog: (entry) => trace.write(entry) }),
      },
      planned,
    )
    .catch((error: unknown) => {
      throw inCase(asked, error)
    })
  const seconds = (clock.now() - began) / 1000
  const { withoutGold = false } = options
  const canCheck = options.canCheck?.(asked.input, day) ?? result.checked !== 'not_checked'
  const record = recordOf(asked, { result, mode, seconds, withoutGold, canCheck })
  trace?.end(record)
  return { record, result }
}

/** An error before the run starts, such as an unknown tool, gets the id of the case. */
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
