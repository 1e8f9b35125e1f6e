import { openRecordingFile, type RecordingFile } from './recording-file.ts'
import { HEADER, type TapeLine, type TapeSink } from './tape-line.ts'

/**
 * A file that calls of models are recorded to, line by line: what is written stays, whatever
 * happens next. It stays empty until the first call is over.
 */
export class ModelRecording implements TapeSink {
  readonly #file: RecordingFile
  readonly #told = new Set<string>()
  /** What stands before the first call; written together with it. */
  #beginning: string[] | undefined = [JSON.stringify(HEADER)]
  #calls = 0

  /** Use `startModelRecording`. */
  constructor(file: RecordingFile) {
    this.#file = file
  }

  get path(): string {
    return this.#file.path
  }

  /** The number of a call that begins. */
  nextCall(): number {
    return ++this.#calls
  }

  /** Never throws: a run does not end because its recording cannot be kept. */
  write(line: TapeLine): void {
    const text = JSON.stringify(line)
    if (line.kind === 'call') {
      this.#file.append([...(this.#beginning ?? []), text])
      this.#beginning = undefined
    } else if (!this.#told.has(text)) {
      // Models and prices come again and again; once is enough.
      this.#told.add(text)
      if (this.#beginning === undefined) this.#file.append([text])
      else this.#beginning.push(text)
    }
  }

  /** Ends the recording; says in a sentence what could not be written, if anything. */
  close(): string | undefined {
    return this.#file.close()
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
