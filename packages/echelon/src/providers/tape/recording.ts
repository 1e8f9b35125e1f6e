import { headerOf } from '../../platform/recording/header.ts'
import { openRecordingFile, type RecordingFile } from '../../platform/recording/recording-file.ts'
import { type TapeLine, type TapeSink, TapeWriter } from './tape-line.ts'

/**
 * A file to which model calls are recorded, line by line, so written lines survive a crash. It
 * stays empty until the first call ends.
 */
export class ModelRecording implements TapeSink {
  readonly #file: RecordingFile
  readonly #lines = new TapeWriter((line) => this.#append(line))
  /** The lines before the first call, written together with it. */
  #beginning: string[] | undefined = [JSON.stringify(headerOf('models'))]

  /** Use `startModelRecording`. */
  constructor(file: RecordingFile) {
    this.#file = file
  }

  get path(): string {
    return this.#file.path
  }

  /** The number for a new call. */
  nextCall(): number {
    return this.#lines.nextCall()
  }

  /** Never throws: a failed recording must not end the run. */
  write(line: TapeLine): void {
    this.#lines.write(line)
  }

  /** Ends the recording. Returns a sentence about calls that could not be written, if any. */
  close(): string | undefined {
    return this.#file.close()
  }

  #append(line: TapeLine): void {
    const text = JSON.stringify(line)
    if (line.kind !== 'call' && this.#beginning !== undefined) {
      this.#beginning.push(text)
      return
    }
    this.#file.append([...(this.#beginning ?? []), text])
    this.#beginning = undefined
  }
}

/**
 * Starts a recording in a new or empty file that only its owner can read. Secrets and text that
 * looks like personal data are removed from requests and answers before they are written.
 *
 * @throws EchelonError INVALID_CONFIG when the file cannot be written or is not empty: two
 * recordings in one file would answer each other's requests.
 */
export const startModelRecording = (path: string): ModelRecording =>
  new ModelRecording(openRecordingFile(path))
