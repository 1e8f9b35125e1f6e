import { readRecordingFile } from '../host/recording/read-recording-file.ts'
import { readRunLine } from './line.ts'
import { RunRecord } from './run-record.ts'

/** Recorded runs, and the calls of models in them. */
export interface RecordedRuns<Call> {
  readonly record: RunRecord
  readonly calls: readonly Call[]
}

/**
 * Reads a recording of whole runs.
 * @param readCall reads a line about a model; nothing for one that is none
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
  return { record: new RunRecord(path, about, lines.flat()), calls }
}
