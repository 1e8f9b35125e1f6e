import { statSync } from 'node:fs'
import { EchelonError } from 'echelon/internal/value'
import type { Config } from 'echelon/config'
import {
  type CostAlert,
  openRecords,
  recordFiles,
  type Recorder,
  type RecordsOptions,
} from '@echelon/telemetry'
import { RECORDS_FOLDER } from './default-places.ts'
import { dollars } from './terminal/dollars.ts'
import { STARTED_AS } from './started-as.ts'

export interface RecordsChoice {
  /** Folder for records; false keeps none. */
  readonly records?: string | false
  /** Limit in US dollars for the runs of a day in the system's time zone. */
  readonly costAlert?: number
}

/** Settings of the configuration for records. */
interface Configured {
  readonly folder: string | null
  readonly costAlert: number | null
  readonly usage: boolean
  /** Time zone in which days are counted. */
  readonly timeZone: string
}

export const configuredRecords = ({ records, settings }: Config): Configured => ({
  folder: records.records_folder,
  costAlert: records.cost_alert_usd,
  usage: records.enable_token_cost,
  timeZone: settings.telemetry.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
})

export interface KeptRecords {
  /** Options for the decider. */
  readonly given: { readonly records?: Recorder }
  /** Sentences to print after the run. */
  readonly remarks: readonly string[]
}

/**
 * Opens the records that the command line or the configuration asks for. A chosen folder must work;
 * if the default one does not, the run continues without records and says so.
 * @param more the purpose of the runs, such as an evaluation
 * @throws EchelonError INVALID_CONFIG, or INVALID_INPUT for an alert without records
 */
export function keepRecords(
  asked: RecordsChoice,
  config: Config,
  more: Pick<RecordsOptions, 'purpose'> = {},
): KeptRecords {
  const configured = configuredRecords(config)
  const remarks: string[] = []
  if (asked.records === false && asked.costAlert !== undefined) throw alertWithoutRecords()
  const records = asked.records ?? configured.folder ?? false
  const costAlert = asked.costAlert ?? configured.costAlert
  if (records === false) return { given: {}, remarks }
  try {
    const recorder = openRecords({
      ...more,
      folder: records,
      usage: configured.usage,
      timeZone: configured.timeZone,
      ...(costAlert === null ? {} : { costAlertUsd: costAlert }),
      onAlert: (alert) => remarks.push(describeAlert(alert)),
      onProblem: (sentence) => remarks.push(sentence),
    })
    return { given: { records: recorder }, remarks }
  } catch (error) {
    const isUsual = asked.records === undefined && records === RECORDS_FOLDER
    if (!isUsual || !(error instanceof EchelonError)) throw error
    remarks.push(error.message)
    return { given: {}, remarks }
  }
}

const alertWithoutRecords = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    '--cost-alert adds up the costs in the records; leave out --no-records',
  )

/** One sentence about a cost alert. */
export function describeAlert({ day, knownCost, unpricedCalls, threshold }: CostAlert): string {
  const atLeast = unpricedCalls > 0 ? 'at least ' : ''
  return `the runs of ${day} cost ${atLeast}${dollars(knownCost)}, above the cost alert of ${dollars(threshold)}; see ${STARTED_AS} costs --by run --since ${day}`
}

/**
 * The record files of the given folder, or of the configured one.
 * @throws EchelonError INVALID_INPUT if the given folder does not exist
 */
export function filesOf(
  { records }: { readonly records?: string },
  config: Config,
): ReturnType<typeof recordFiles> {
  if (records !== undefined && !statSync(records, { throwIfNoEntry: false })?.isDirectory())
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no folder ${records}; name a folder of records with --records, or leave it out for the default`,
    )
  return recordFiles(records ?? configuredRecords(config).folder ?? RECORDS_FOLDER)
}

export const NO_RECORDS: string = `There are no records yet: decide a task with ${STARTED_AS} decide, talk with ${STARTED_AS} chat, or name their folder with --records.`

/** Turns a system error about a file into a sentence. */
export async function reading<Result>(path: string, read: Promise<Result>): Promise<Result> {
  try {
    return await read
  } catch (cause) {
    if (cause instanceof EchelonError || !(cause instanceof Error)) throw cause
    throw new EchelonError('INVALID_INPUT', `${path} cannot be read (${cause.message})`, { cause })
  }
}
