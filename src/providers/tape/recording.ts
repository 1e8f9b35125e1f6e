import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { EchelonError } from '../../core/error.ts'
import { HEADER, type TapeLine } from './tape-line.ts'

/**
 * A file that calls of models are recorded to, line by line: what is written stays, whatever
 * happens next. It stays empty until the first call is over.
 */
export class ModelRecording {
  readonly path: string
  readonly #file: number
  readonly #told = new Set<string>()
  /** What stands before the first call; written together with it. */
  #beginning: string[] | undefined = [JSON.stringify(HEADER)]
  #calls = 0
  #isOpen = true
  #problem: string | undefined

  /** Use `startModelRecording`. */
  constructor(path: string, file: number) {
    this.path = path
    this.#file = file
  }

  /** The number of a call that begins. */
  nextCall(): number {
    return ++this.#calls
  }

  /** Never throws: a run does not end because its recording cannot be kept. */
  write(line: TapeLine): void {
    const text = JSON.stringify(line)
    if (line.kind === 'call') {
      this.#append([...(this.#beginning ?? []), text])
      this.#beginning = undefined
    } else if (!this.#told.has(text)) {
      // Models and prices come again and again; once is enough.
      this.#told.add(text)
      if (this.#beginning === undefined) this.#append([text])
      else this.#beginning.push(text)
    }
  }

  /** Ends the recording; says in a sentence what could not be written, if anything. */
  close(): string | undefined {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
    return this.#problem
  }

  #append(lines: readonly string[]): void {
    if (!this.#isOpen || this.#problem !== undefined) return
    try {
      appendFileSync(this.#file, lines.map((line) => `${line}\n`).join(''))
    } catch (error) {
      this.#problem = `the recording ${this.path} is not complete (${reasonOf(error)}); record anew where there is room`
    }
  }
}

/**
 * Begins a recording in a new or empty file, which its owner alone may read. Secrets and what looks
 * like personal data are taken out of requests and answers before they are written.
 *
 * @throws EchelonError INVALID_CONFIG when the file cannot be written, or holds something already:
 * two recordings in one file would answer each other's requests.
 */
export function startModelRecording(path: string): ModelRecording {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants
  let file: number
  try {
    file = openSync(path, O_APPEND | O_CREAT | O_WRONLY, 0o600)
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
  // A file that was there keeps its mode otherwise; a device has none of its own.
  if (found.isFile()) fchmodSync(file, 0o600)
  return new ModelRecording(path, file)
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
