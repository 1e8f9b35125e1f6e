import { systemTimeZone } from 'echelon/internal/platform'
import type { Recorder } from 'echelon/internal/observability'
import { openRecords as openIn, type RecordsOptions as Options } from '../recorder.ts'

export type RecordsOptions = Omit<Options, 'timeZone'> & Partial<Pick<Options, 'timeZone'>>

/**
 * Keeps records of runs in two private files of a folder: `audit.jsonl` for actions and `usage.jsonl`
 * for tokens and cost. Pass it to `createDecider` as `records`. Any number of processes may use one
 * folder. Without a `timeZone`, days are those of the system's zone.
 *
 * The audit log is flushed to disk when a run ends, a usage record when it is written. Entries that
 * could not be written are counted, and the log records the count as soon as writing works again
 * (`entries_lost`).
 * @throws EchelonError INVALID_CONFIG for an invalid folder, zone or threshold
 */
export function openRecords(options: RecordsOptions): Recorder {
  return openIn({ timeZone: systemTimeZone(), ...options })
}
