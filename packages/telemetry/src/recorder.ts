import { join } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import type { Recorder, RunEnded, RunRecord } from 'echelon/internal/observability'
import { auditActs, lostAct, RECORDER, type AuditAct } from 'echelon/internal/audit'
import { auditLog, type AuditTrail } from './audit-log.ts'
import { daysIn } from './day.ts'
import { privateFolder, reasonOf } from './private-file.ts'
import { type UsageBook, usageFile } from './usage-file.ts'
import { type RunPurpose, usageOf } from './usage-record.ts'

/** A day on which spending exceeded the threshold. */
export interface CostAlert {
  /** As 2026-11-22. */
  readonly day: string
  /** US dollars of the calls with known cost. */
  readonly knownCost: number
  /** Calls of that day with unknown cost: the day cost more than `knownCost`. */
  readonly unpricedCalls: number
  /** US dollars. */
  readonly threshold: number
}

export interface RecordsOptions {
  /** Folder of the files, such as `.echelon`; created for its owner only. */
  readonly folder: string
  /** Whether usage is recorded; the audit log always is. Default true. */
  readonly usage?: boolean
  /** Purpose of the runs, stored in their usage records; default none, for normal runs. */
  readonly purpose?: RunPurpose
  /** Daily spending limit in US dollars; without a limit no alert is raised. */
  readonly costAlertUsd?: number
  /** The zone that defines days: an IANA name. */
  readonly timeZone: string
  /** Called once a day when the day's runs cost more than `costAlertUsd`. */
  readonly onAlert?: (alert: CostAlert) => void
  /** Called once per file with a sentence why the file is incomplete. Runs continue. */
  readonly onProblem?: (sentence: string) => void
}

/** Paths of the records in a folder. */
export const recordFiles = (
  folder: string,
): { readonly audit: string; readonly usage: string } => ({
  audit: join(folder, 'audit.jsonl'),
  usage: join(folder, 'usage.jsonl'),
})

/**
 * Keeps records of runs in two private files of a folder: see `openRecords` of
 * `compose/open-records.ts`.
 * @throws EchelonError INVALID_CONFIG for an invalid folder, zone or threshold
 */
export function openRecords(options: RecordsOptions): Recorder {
  const { costAlertUsd: threshold } = options
  if (threshold !== undefined && !(Number.isFinite(threshold) && threshold >= 0)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `the cost alert is ${threshold}; it must be a number of US dollars, at least 0`,
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

/** A recorder over any stores; `openRecords` uses files. */
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

/** One disk flush per run: its actions are durable once its end is. */
const isLast = ({ type }: RunRecord): boolean => type === 'run-ended' || type === 'run-refused'

class Audit {
  readonly #trail: AuditTrail
  readonly #onProblem: Watch['onProblem']
  #lost = 0
  #reported = false

  constructor(trail: AuditTrail, onProblem: Watch['onProblem']) {
    this.#trail = trail
    this.#onProblem = onProblem
  }

  /** Whether nothing was lost, or the log records how much was. */
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
      if (!this.#reported) this.#onProblem?.(`the audit log is not complete (${reasonOf(error)})`)
      this.#reported = true
    }
  }
}

class Usage {
  readonly #book: UsageBook
  readonly #watch: Watch
  readonly #dayOf: (ts: string) => string
  #reported = false
  #alerted: string | undefined

  constructor(book: UsageBook, watch: Watch) {
    this.#book = book
    this.#watch = watch
    this.#dayOf = daysIn(watch.timeZone)
  }

  /** @returns an alert, at most once a day */
  keep(record: RunEnded, isAudited: boolean): CostAlert | undefined {
    try {
      this.#book.add(usageOf(record, this.#watch.purpose, { isAudited }))
      return this.#alert(this.#dayOf(record.ts))
    } catch (error) {
      if (!this.#reported)
        this.#watch.onProblem?.(`the usage records are not complete (${reasonOf(error)})`)
      this.#reported = true
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
