import { join } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import type { Recorder, RunEnded, RunRecord } from 'echelon/internal/observability'
import { auditActs } from 'echelon/internal/audit'
import { lostAct, RECORDER } from 'echelon/internal/audit'
import type { AuditAct } from 'echelon/internal/audit'
import { auditLog, type AuditTrail } from './audit-log.ts'
import { daysIn } from './day.ts'
import { privateFolder, reasonOf } from './private-file.ts'
import { type UsageBook, usageFile } from './usage-file.ts'
import { type RunPurpose, usageOf } from './usage-record.ts'

/** A day on which more was spent than was to be. */
export interface CostAlert {
  /** As 2026-11-22. */
  readonly day: string
  /** US dollars of the calls whose cost is known. */
  readonly knownCost: number
  /** Calls of that day whose cost is unknown: the day took more than `knownCost`. */
  readonly unpricedCalls: number
  /** US dollars. */
  readonly threshold: number
}

export interface RecordsOptions {
  /** Where the files are, such as `.echelon`; made, for its owner only, if it is not there. */
  readonly folder: string
  /** Whether it is kept what runs took; the audit log is kept in any case. Default true. */
  readonly usage?: boolean
  /** What the runs are for, kept in their usage records; default none: for their answers. */
  readonly purpose?: RunPurpose
  /** US dollars that a day may take; without one there is no alert. */
  readonly costAlertUsd?: number
  /** The zone that a day is meant in: an IANA name. */
  readonly timeZone: string
  /** Hears, once a day, that the day's runs took more than `costAlertUsd`. */
  readonly onAlert?: (alert: CostAlert) => void
  /** Hears, once for each file, why it is not complete, as one sentence. Runs go on. */
  readonly onProblem?: (sentence: string) => void
}

/** Where the records of a folder are. */
export const recordFiles = (
  folder: string,
): { readonly audit: string; readonly usage: string } => ({
  audit: join(folder, 'audit.jsonl'),
  usage: join(folder, 'usage.jsonl'),
})

/**
 * Keeps records of runs in two private files of a folder: see the door, `packages/telemetry/src/index.ts`.
 * @throws EchelonError INVALID_CONFIG for a folder, a zone or a threshold that cannot be used
 */
export function openRecords(options: RecordsOptions): Recorder {
  const { costAlertUsd: threshold } = options
  if (threshold !== undefined && !(Number.isFinite(threshold) && threshold >= 0)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `the cost alert is ${threshold}; it must be a number of US dollars from 0 on`,
    )
  }
  const files = recordFiles(privateFolder(options.folder))
  return createRecorder({ audit: auditLog(files.audit), usage: usageFile(files.usage) }, options)
}

interface Stores {
  readonly audit: AuditTrail
  readonly usage: UsageBook
}

type Watch = Omit<RecordsOptions, 'folder'>

/** A recorder over any stores: what `openRecords` makes of files. */
export function createRecorder(stores: Stores, watch: Watch): Recorder {
  const audit = new Audit(stores.audit, watch.onProblem)
  const usage = watch.usage === false ? undefined : new Usage(stores.usage, watch)
  return {
    record(record) {
      audit.keep(record.ts, auditActs(record), isLast(record))
      if (record.type !== 'run-ended') return
      const alert = usage?.keep(record, audit.isWhole)
      if (alert !== undefined) audit.keep(record.ts, [alertAct(record, alert)], true)
    },
  }
}

/** One disk flush a run: what was done is durable when its end is. */
const isLast = ({ type }: RunRecord): boolean => type === 'run-ended' || type === 'run-refused'

class Audit {
  readonly #trail: AuditTrail
  readonly #onProblem: Watch['onProblem']
  #lost = 0
  #told = false

  constructor(trail: AuditTrail, onProblem: Watch['onProblem']) {
    this.#trail = trail
    this.#onProblem = onProblem
  }

  /** Whether all that was to be kept is, or it is on record how much is not. */
  get isWhole(): boolean {
    return this.#lost === 0
  }

  keep(ts: string, acts: readonly AuditAct[], durable: boolean): void {
    const before = this.#lost === 0 ? [] : [lostAct(ts, this.#lost)]
    try {
      this.#trail.append([...before, ...acts], durable)
      this.#lost = 0
    } catch (error) {
      this.#lost += acts.length
      if (!this.#told) this.#onProblem?.(`the audit log is not complete (${reasonOf(error)})`)
      this.#told = true
    }
  }
}

class Usage {
  readonly #book: UsageBook
  readonly #watch: Watch
  readonly #dayOf: (ts: string) => string
  #told = false
  #alerted: string | undefined

  constructor(book: UsageBook, watch: Watch) {
    this.#book = book
    this.#watch = watch
    this.#dayOf = daysIn(watch.timeZone)
  }

  /** @returns an alert, once a day */
  keep(record: RunEnded, isAudited: boolean): CostAlert | undefined {
    try {
      this.#book.add(usageOf(record, this.#watch.purpose, { isAudited }))
      return this.#alert(this.#dayOf(record.ts))
    } catch (error) {
      if (!this.#told)
        this.#watch.onProblem?.(`the usage records are not complete (${reasonOf(error)})`)
      this.#told = true
      return undefined
    }
  }

  #alert(day: string): CostAlert | undefined {
    const { costAlertUsd: threshold, onAlert } = this.#watch
    if (threshold === undefined || this.#alerted === day) return undefined
    const { known, unpricedCalls } = this.#book.costOn(day, this.#dayOf)
    if (known <= threshold) return undefined
    this.#alerted = day
    const alert = { day, knownCost: known, unpricedCalls, threshold }
    onAlert?.(alert)
    return alert
  }
}

function alertAct(
  { ts, runId, taskId }: RunEnded,
  { day, knownCost, unpricedCalls, threshold }: CostAlert,
): AuditAct {
  const details = {
    day,
    known_cost: knownCost,
    unpriced_calls: unpricedCalls,
    threshold,
  }
  return { ts, run_id: runId, task_id: taskId, actor: RECORDER, action: 'cost_alert', details }
}
