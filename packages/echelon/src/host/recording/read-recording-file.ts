import type { Json } from '../../core/value/json.ts'
import { readGivenText, UnreadableFileError } from '../given-file.ts'
import { damaged, readHeader, type Recorded, unreadable } from './header.ts'

/** A recording as it stands in its file. */
export interface RecordingContent<Line> {
  /** What the program that recorded said of it. */
  readonly about: Json
  readonly lines: readonly Line[]
  /** A sentence on what is wrong with the file, though it can be used. */
  readonly warning: string | undefined
}

/** No text of JavaScript holds more. */
const MOST_BYTES = 512 * 1024 * 1024 - 32

/**
 * Reads a recording. Skips a last line that is not complete, as an interrupted recording leaves it,
 * with a `warning`.
 * @param readLine reads one line; nothing for one that no recording writes
 * @throws EchelonError INVALID_INPUT, with the number of the line, when the file cannot be read or
 * is no recording that this version knows
 */
export async function readRecordingFile<Line>(
  path: string,
  holds: Recorded,
  readLine: (value: unknown) => Line | undefined,
): Promise<RecordingContent<Line>> {
  const text = await textOf(path, holds)
  if (text === '') throw damaged(path, holds, 'it is empty, since nothing was recorded')
  const rows = text.split('\n')
  // Every line ends with a line break, so that most often nothing stands after the last one.
  const torn = parsed(rows.at(-1) ?? '') === undefined ? (rows.pop() ?? '').trim() : ''
  const about = readHeader(path, holds, parsed(rows[0] ?? ''))
  const lines = rows.slice(1).flatMap((row, index) => {
    if (row.trim() === '') return []
    const line = readLine(parsed(row))
    if (line !== undefined) return [line]
    throw damaged(path, holds, `line ${index + 2} holds nothing that a recording writes`)
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
