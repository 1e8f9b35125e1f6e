import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { EchelonError } from '../../core/value/error.ts'

/** An append-only file that only its owner can read. */
export class RecordingFile {
  readonly path: string
  readonly #file: number
  #isOpen = true
  #problem: string | undefined

  /** Use `openRecordingFile`. */
  constructor(path: string, file: number) {
    this.path = path
    this.#file = file
  }

  /** Never throws: `close` reports what could not be written. */
  append(lines: readonly string[]): void {
    if (!this.#isOpen || this.#problem !== undefined) return
    try {
      appendFileSync(this.#file, lines.map((line) => `${line}\n`).join(''))
    } catch (error) {
      this.#problem = `the recording ${this.path} is not complete (${reasonOf(error)}); record again where there is room`
    }
  }

  /** @returns a sentence about what could not be written, if anything */
  close(): string | undefined {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
    return this.#problem
  }
}

/**
 * Opens a new or empty file.
 * @throws EchelonError INVALID_CONFIG when it cannot be written or is not empty
 */
export function openRecordingFile(path: string): RecordingFile {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants
  let file: number
  try {
    // Otherwise a pipe without a reader would block, and no signal would end that.
    file = openSync(path, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, 0o600)
  } catch (cause) {
    const message = `the recording ${path} cannot be written (${reasonOf(cause)}); choose another place`
    throw new EchelonError('INVALID_CONFIG', message, { cause })
  }
  const found = fstatSync(file)
  if (found.size > 0) {
    closeSync(file)
    const message = `${path} is not empty; record to a new file, or delete this one first`
    throw new EchelonError('INVALID_CONFIG', message)
  }
  // An existing file would keep its mode; a device has none of its own.
  if (found.isFile()) fchmodSync(file, 0o600)
  return new RecordingFile(path, file)
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
