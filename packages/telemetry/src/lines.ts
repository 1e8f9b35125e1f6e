import { readSync } from 'node:fs'
import { LONGEST_LINE } from 'echelon/internal/audit'
import { openGivenFile } from 'echelon/internal/platform'

const BLOCK = 64 * 1024
const NEWLINE = 0x0a

export interface Line {
  /** Without its newline. */
  readonly bytes: Buffer
  /** Whether it ends with a newline; only the last line may not. */
  readonly complete: boolean
  /** Its offset in the file. */
  readonly start: number
}

/**
 * The lines of an open file from last to first, down to the line that begins at `downTo`. Reads lazily.
 * @throws Error for a line longer than `LONGEST_LINE`
 */
export function* linesFromEnd(file: number, size: number, downTo = 0): Generator<Line> {
  let position = size
  let rest: Buffer = Buffer.alloc(0)
  let complete = false
  while (position > downTo) {
    const from = Math.max(downTo, position - BLOCK)
    let block: Buffer = Buffer.concat([readAt(file, from, position - from), rest])
    for (let at = block.lastIndexOf(NEWLINE); at !== -1; at = block.lastIndexOf(NEWLINE)) {
      const bytes = block.subarray(at + 1)
      if (complete || bytes.length > 0) yield { bytes, complete, start: from + at + 1 }
      complete = true
      block = block.subarray(0, at)
    }
    requireLength(block)
    rest = block
    position = from
  }
  if (complete || rest.length > 0) yield { bytes: rest, complete, start: downTo }
}

export interface NumberedLine extends Omit<Line, 'start'> {
  /** From 1. */
  readonly number: number
}

/**
 * The lines of a file from first to last, with one in memory at a time. Lines longer than
 * `LONGEST_LINE` are truncated.
 * @param size number of bytes to read
 */
export async function* linesOf(
  path: string,
  size: number = Infinity,
): AsyncGenerator<NumberedLine> {
  await using file = await openGivenFile(path)
  const block = Buffer.alloc(BLOCK)
  let rest: Buffer = Buffer.alloc(0)
  let number = 1
  let position = 0
  while (position < size) {
    const { bytesRead } = await file.read(block, 0, Math.min(BLOCK, size - position), position)
    if (bytesRead === 0) break
    // A copy, because lines already yielded outlive the next read.
    let text: Buffer = Buffer.concat([rest, block.subarray(0, bytesRead)])
    for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE)) {
      yield { bytes: text.subarray(0, at), complete: true, number: number++ }
      text = text.subarray(at + 1)
    }
    rest = text.subarray(0, LONGEST_LINE)
    position += bytesRead
  }
  if (rest.length > 0) yield { bytes: rest, complete: false, number }
}

/** Bytes from an offset of a file; fewer at its end. */
export function readAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let read = 0
  for (let more = -1; read < length && more !== 0; read += more) {
    more = readSync(file, bytes, read, length - read, from + read)
  }
  return bytes.subarray(0, read)
}

function requireLength(line: Buffer): void {
  if (line.length > LONGEST_LINE) {
    throw new Error(`a line is longer than ${LONGEST_LINE} bytes, so this is not a records file`)
  }
}
