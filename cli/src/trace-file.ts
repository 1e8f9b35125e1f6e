import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { EchelonError } from 'echelon'

/** A log file that grows line by line: what is written stays, whatever happens next. */
export interface Trace {
  write(entry: object): void
  close(): void
}

/**
 * Opens a file for appending, readable by its owner alone.
 * @throws EchelonError INVALID_CONFIG when it cannot be written
 */
export function openTrace(path: string): Trace {
  const file = attempt(path, () =>
    openSync(path, constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY, 0o600),
  )
  return {
    write: (entry) => {
      attempt(path, () => writeSync(file, `${JSON.stringify(entry)}\n`))
    },
    close: () => closeSync(file),
  }
}

function attempt<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_CONFIG',
      `the trace file ${path} cannot be written (${reason}); choose another place`,
      { cause },
    )
  }
}
