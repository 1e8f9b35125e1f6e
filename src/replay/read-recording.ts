import { EchelonError } from '../core/error.ts'
import { isJson, isRecord, type Json } from '../core/json.ts'
import { readGivenText, UnreadableFileError } from '../host/given-file.ts'
import { readRunLine, RUN_HEADER, type RunLine } from './line.ts'
import { RunRecord } from './run-record.ts'

/** A longer file is not even read. */
const MOST_BYTES = 512 * 1024 * 1024 - 32

/** What stands in a file: runs, and what models were asked in them. */
export interface ReadRecording<TapeLine> {
  readonly record: RunRecord
  readonly tapeLines: readonly TapeLine[]
}

/**
 * Reads a recording. A last line that is not complete, as an interrupted program leaves it, is
 * passed over; that the recording breaks off stands in what is given back.
 * @param readTapeLine reads a line of a model tape; nothing for one that is none
 * @throws EchelonError INVALID_INPUT, with the number of the line, when the file cannot be read or
 * is no recording that this version knows
 */
export async function readRecording<TapeLine>(
  path: string,
  readTapeLine: (value: unknown) => TapeLine | undefined,
): Promise<ReadRecording<TapeLine>> {
  const rows = (await textOf(path)).split('\n')
  // Every line ends with a line break: what stands after the last one was cut off.
  const last = rows.pop() ?? ''
  const about = aboutOf(path, parsed(rows.shift() ?? ''))
  const lines: RunLine[] = []
  const tapeLines: TapeLine[] = []
  for (const [index, row] of rows.entries()) {
    const value = parsed(row)
    const line = readRunLine(value)
    const tapeLine = line === undefined ? readTapeLine(value) : undefined
    if (line !== undefined) lines.push(line)
    else if (tapeLine !== undefined) tapeLines.push(tapeLine)
    else if (row.trim() !== '')
      throw damaged(path, `line ${index + 2} holds nothing that a recording writes`)
  }
  const whole = last === '' ? lines : lines.filter(({ kind }) => kind !== 'end')
  return { record: new RunRecord(path, about, whole), tapeLines }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readGivenText(path, MOST_BYTES)
  } catch (cause) {
    if (cause instanceof UnreadableFileError && cause.isTooLarge) {
      throw damaged(path, 'it is longer than 512 MB')
    }
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_INPUT',
      `the recording ${path} cannot be read (${reason}); name a file that --record wrote`,
      { cause },
    )
  }
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row)
  } catch {
    return undefined
  }
}

function aboutOf(path: string, header: unknown): Json {
  if (isRecord(header) && header['kind'] === 'model-tape') {
    throw damaged(path, 'it holds calls of models alone; give it to --replay-models')
  }
  if (!isRecord(header) || header['kind'] !== RUN_HEADER.kind) {
    throw damaged(path, 'line 1 is not the beginning of a recording')
  }
  if (header['version'] !== RUN_HEADER.version) {
    const version = JSON.stringify(header['version'])
    throw damaged(
      path,
      `line 1 names version ${version}, and version ${RUN_HEADER.version} is known`,
    )
  }
  const { about } = header
  // Schemas of tools stand in it, as deep as they are.
  return isJson(about, 128) ? about : null
}

const damaged = (path: string, what: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `${path} cannot be replayed: ${what}; record it anew with --record`,
  )
