import type { Json } from '../../core/value/json.ts'
import { readGivenText, UnreadableFileError } from '../given-file.ts'
import { damaged, readHeader, type Recorded, unreadable } from './header.ts'

/** The content of a recording file. */
export interface RecordingContent<Line> {
  /** The recording program's description. */
  readonly about: Json
  readonly lines: readonly Line[]
  /** A problem with the file that does not prevent its use, as a sentence. */
  readonly warning: string | undefined
}

/** The maximum length of a JavaScript string. */
const MOST_BYTES = 512 * 1024 * 1024 - 32

/**
 * Reads a recording. An incomplete last line, as left by an interrupted recording, is skipped with
 * a `warning`.
 * @param readLine parses one line; undefined for an invalid one
 * @throws EchelonError INVALID_INPUT, with the line number, when the file cannot be read or is not
 * a recording of a known version
 */
export async function readRecordingFile<Line>(
  path: string,
  holds: Recorded,
  readLine: (value: unknown) => Line | undefined,
): Promise<RecordingContent<Line>> {
  const text = await textOf(path, holds)
  if (text === '') throw damaged(path, holds, 'it is empty, since nothing was recorded')
  const rows = text.split('\n')
  // Every line ends with a line break, so the last row is usually empty.
  const torn = parsed(rows.at(-1) ?? '') === undefined ? (rows.pop() ?? '').trim() : ''
  const about = readHeader(path, holds, parsed(rows[0] ?? ''))
  const lines = rows.slice(1).flatMap((row, index) => {
    if (row.trim() === '') return []
    const line = readLine(parsed(row))
    if (line !== undefined) return [line]
    throw damaged(path, holds, `line ${index + 2} is not a valid line of a recording`)
  })
  const warning = `line ${rows.length + 1} of ${path} is not complete, since its recording was interrupted; the lines before it are used`
  return { about, lines, warning: torn === '' ? undefined : warning }
}

async function textOf(path: string, holds: Recorded): Promise<string> {
  try {
    return await readGivenText(path, MOST_BYTES)
  } catch (cause) {
    const isTooLarge = cause instanceof UnreadableFileError && cause.isTooLarge
    throw isTooLarge
      ? damaged(path, holds, 'it is longer than 512 MB')
      : unreadable(path, holds, cause)
  }
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row)
  } catch {
    return undefined
  }
}
