import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { EchelonError } from 'echelon/internal/value'

/** A log file written line by line; written lines survive a crash. */
export interface Trace {
  /** Never throws: a failed write must not end a run. */
  write(entry: object): void
  /** Closes the file. @returns a problem, if something could not be written */
  close(): string | undefined
}

/**
 * Opens a file for appending, readable only by its owner.
 * @param replace truncates the file
 * @throws EchelonError INVALID_CONFIG if it cannot be opened
 */
export function openTrace(
  path: string,
  { replace = false }: { readonly replace?: boolean } = {},
): Trace {
  const file = open(path, replace)
  let problem: string | undefined
  return {
    write(entry) {
      if (problem !== undefined) return
      try {
        // Unlike writeSync, writes all or throws when the disk is full.
        appendFileSync(file, `${JSON.stringify(entry)}\n`)
      } catch (error) {
        problem = `the trace file ${path} is not complete (${reasonOf(error)})`
      }
    },
    close() {
      closeSync(file)
      return problem
    },
  }
}

function open(path: string, replace: boolean): number {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants
  try {
    // Non-blocking: opening a pipe without a reader would hang, even on signals.
    const flags = O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY
    const file = openSync(path, replace ? flags | O_TRUNC : flags, 0o600)
    // An existing file would keep its mode. Devices are left alone.
    if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
    return file
  } catch (cause) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `the trace file ${path} cannot be written (${reasonOf(cause)}); choose another place`,
      { cause },
    )
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
