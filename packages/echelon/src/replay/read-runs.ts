import { readRecordingFile } from '../platform/recording/read-recording-file.ts'
import { readRunLine } from './line.ts'
import { LoadedRecording } from './loaded-recording.ts'

/** Recorded runs and their model calls. */
export interface RecordedRuns<Call> {
  readonly record: LoadedRecording
  readonly calls: readonly Call[]
}

/**
 * Reads a recording of whole runs.
 * @param readCall parses a line about a model; undefined if it is invalid
 * @throws EchelonError INVALID_INPUT, as `readRecordingFile`
 */
export async function readRuns<Call>(
  path: string,
  readCall: (value: unknown) => Call | undefined,
): Promise<RecordedRuns<Call>> {
  const calls: Call[] = []
  const { about, lines } = await readRecordingFile(path, 'runs', (value) => {
    const line = readRunLine(value)
    if (line !== undefined) return [line]
    const call = readCall(value)
    if (call !== undefined) calls.push(call)
    return call && []
  })
  return { record: new LoadedRecording(path, about, lines.flat()), calls }
}
