import { headerOf } from '../../host/recording/header.ts'
import { openRecordingFile, type RecordingFile } from '../../host/recording/recording-file.ts'
import { type TapeLine, type TapeSink, TapeWriter } from './tape-line.ts'

/**
 * A file that calls of models are recorded to, line by line: what is written stays, whatever
 * happens next. It stays empty until the first call is over.
 */
export class ModelRecording implements TapeSink {
  readonly #file: RecordingFile
  readonly #lines = new TapeWriter((line) => this.#append(line))
  /** What stands before the first call; written together with it. */
  #beginning: string[] | undefined = [JSON.stringify(headerOf('models'))]

  /** Use `startModelRecording`. */
  constructor(file: RecordingFile) {
    this.#file = file
  }

  get path(): string {
    return this.#file.path
  }

  /** The number of a call that begins. */
  nextCall(): number {
    return this.#lines.nextCall()
  }

  /** Never throws: a run does not end because its recording cannot be kept. */
  write(line: TapeLine): void {
    this.#lines.write(line)
  }

  /** Ends the recording; says in a sentence what could not be written, if anything. */
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
 * Begins a recording in a new or empty file, which its owner alone may read. Secrets and what looks
 * like personal data are taken out of requests and answers before they are written.
 *
 * @throws EchelonError INVALID_CONFIG when the file cannot be written, or holds something already:
 * two recordings in one file would answer each other's requests.
 */
export const startModelRecording = (path: string): ModelRecording =>
  new ModelRecording(openRecordingFile(path))
