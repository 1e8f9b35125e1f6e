import { statSync } from 'node:fs'
import { EchelonError } from 'echelon/runtime'
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
  /** The folder; false keeps none. */
  readonly records?: string | false
  /** US dollars that a day, in the system's zone, may take. */
  readonly costAlert?: number
}

/** What the configuration says of records. */
interface Configured {
  readonly folder: string | null
  readonly costAlert: number | null
  readonly usage: boolean
  /** The zone that a day is meant in. */
  readonly timeZone: string
}

export const configuredRecords = ({ records, settings }: Config): Configured => ({
  folder: records.records_folder,
  costAlert: records.cost_alert_usd,
  usage: records.enable_token_cost,
  timeZone: settings.telemetry.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
})

export interface KeptRecords {
  /** For the decider. */
  readonly given: { readonly records?: Recorder }
  /** Sentences for the person, once the run has ended. */
  readonly remarks: readonly string[]
}

/**
 * Keeps records as a command was asked to, or else as it is configured. A folder that was chosen
 * must work; where the usual one does not, the run goes on without records and says so.
 * @param more what the runs are for, if not for their answers
 * @throws EchelonError INVALID_CONFIG, or INVALID_INPUT for an alert without records
 */
export function keepRecords(
  asked: RecordsChoice,
  config: Config,
  more: Pick<RecordsOptions, 'purpose'> = {},
): KeptRecords {
  const configured = configuredRecords(config)
  const remarks: string[] = []
  if (asked.records === false && asked.costAlert !== undefined) throw nothingToAddUp()
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

const nothingToAddUp = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    '--cost-alert adds up what runs took, which is in their records; leave out --no-records',
  )

/** The alert as a sentence. */
export function describeAlert({ day, knownCost, unpricedCalls, threshold }: CostAlert): string {
  const atLeast = unpricedCalls > 0 ? 'at least ' : ''
  return `the runs of ${day} took ${atLeast}${dollars(knownCost)}, and the cost alert stands at ${dollars(threshold)}; see ${STARTED_AS} costs --by run --since ${day}`
}

/**
 * The files of the folder that is named, or of the configured one.
 * @throws EchelonError INVALID_INPUT for a folder that is named and is not there
 */
export function filesOf(
  { records }: { readonly records?: string },
  config: Config,
): ReturnType<typeof recordFiles> {
  if (records !== undefined && !statSync(records, { throwIfNoEntry: false })?.isDirectory())
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no folder ${records}; name one that holds records with --records, or leave it out for the usual one`,
    )
  return recordFiles(records ?? configuredRecords(config).folder ?? RECORDS_FOLDER)
}

export const NO_RECORDS: string = `There are no records yet: decide a task with ${STARTED_AS} decide, talk with ${STARTED_AS} chat, or name their folder with --records.`

/** Turns what the system says about a file into a sentence. */
export async function reading<Result>(path: string, read: Promise<Result>): Promise<Result> {
  try {
    return await read
  } catch (cause) {
    if (cause instanceof EchelonError || !(cause instanceof Error)) throw cause
    throw new EchelonError('INVALID_INPUT', `${path} cannot be read (${cause.message})`, { cause })
  }
}
