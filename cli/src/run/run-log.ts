import type { Command } from 'commander'
import { type Log, pinoLog } from '@echelon/telemetry'

/** Command-line options for the log of runs. */
export interface LogOptions {
  readonly log?: string
}

export const withLog = (command: Command): Command =>
  command.option(
    '--log <file>',
    'append a record of each decision to a file as JSON lines, without message text',
  )

/**
 * @returns undefined without --log
 * @throws EchelonError INVALID_CONFIG if the file cannot be written
 */
export async function logFor({ log }: LogOptions): Promise<Log | undefined> {
  return log === undefined ? undefined : pinoLog({ file: log })
}
