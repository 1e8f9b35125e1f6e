import { EchelonError } from 'echelon'
import { type CostAlert, openRecords, recordFiles, type Recorder } from 'echelon/telemetry'
import { dollars } from './dollars.ts'

/** Where records are kept unless somebody says otherwise. */
export const RECORDS_FOLDER = '.echelon'

export interface RecordsChoice {
  /** The folder; false keeps none. */
  readonly records?: string | false
  /** US dollars that a day, in the system's zone, may take. */
  readonly costAlert?: number
}

export interface KeptRecords {
  /** For the decider. */
  readonly given: { readonly records?: Recorder }
  /** Sentences for the person, once the run has ended. */
  readonly remarks: readonly string[]
}

/**
 * Keeps records as a command was asked to, or else as it is configured. A folder that was chosen
 * must work; where the usual one does not, the run goes on without records and says so.
 * @throws EchelonError INVALID_CONFIG, or INVALID_INPUT for an alert without records
 */
export function keepRecords(asked: RecordsChoice, configured: RecordsChoice = {}): KeptRecords {
  const remarks: string[] = []
  if (asked.records === false && asked.costAlert !== undefined) throw nothingToAddUp()
  const records = asked.records ?? configured.records ?? RECORDS_FOLDER
  const costAlert = asked.costAlert ?? configured.costAlert
  if (records === false) return { given: {}, remarks }
  try {
    const recorder = openRecords({
      folder: records,
      ...(costAlert === undefined ? {} : { costAlertUsd: costAlert }),
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
  return `the runs of ${day} took ${atLeast}${dollars(knownCost)}, and the cost alert stands at ${dollars(threshold)}; see echelon costs --by run --since ${day}`
}

/** The files of a folder of records. */
export const filesOf = ({
  records = RECORDS_FOLDER,
}: {
  readonly records?: string
}): ReturnType<typeof recordFiles> => recordFiles(records)

export const NO_RECORDS =
  'There are no records yet: decide a task with echelon decide, or name their folder with --records.'

/** Turns what the system says about a file into a sentence. */
export async function reading<Result>(path: string, read: Promise<Result>): Promise<Result> {
  try {
    return await read
  } catch (cause) {
    if (cause instanceof EchelonError || !(cause instanceof Error)) throw cause
    throw new EchelonError('INVALID_INPUT', `${path} cannot be read (${cause.message})`, { cause })
  }
}
