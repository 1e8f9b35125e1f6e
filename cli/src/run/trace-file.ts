import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { EchelonError } from 'echelon/runtime'

/** A log file that grows line by line: what is written stays, whatever happens next. */
export interface Trace {
  /** Never throws: a run does not end because its log cannot be kept. */
  write(entry: object): void
  /** Closes the file; says what could not be written, if anything. */
  close(): string | undefined
}

/**
 * Opens a file for appending, readable by its owner alone.
 * @param replace begins the file anew
 * @throws EchelonError INVALID_CONFIG when it cannot be opened
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
        // All of it, or an error: a disk that fills up takes a part.
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
    // A pipe that nobody reads would be waited for, and no signal would end that.
    const flags = O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY
    const file = openSync(path, replace ? flags | O_TRUNC : flags, 0o600)
    // A file that was there keeps its mode otherwise; a device has none of its own.
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
