import { createInterface } from 'node:readline'
import { EchelonError } from 'echelon/runtime'
import { isCommand, isLeaving } from '../typed-commands.ts'
import type { Io } from '../../io.ts'

/** A conversation, line by line. */
export interface Lines<End> {
  /** Does what a line orders that steers it. */
  command(line: string): Promise<'on' | 'end'>
  take(said: string): Promise<End>
  /** Whether nothing more can be said after it. */
  isLast(end: End): boolean
}

/**
 * Each line is a turn, or a command; lines that are empty are none.
 * @returns how the last turn ended; nothing when there were commands alone
 * @throws EchelonError INVALID_INPUT when nothing was said
 */
export async function talkThroughPipe<End>(io: Io, lines: Lines<End>): Promise<End | undefined> {
  using _heed = io.ending.heed()
  let last: End | undefined
  let isSilent = true
  const input = io.stdin
  try {
    for await (const line of createInterface({
      input,
      crlfDelay: Infinity,
      signal: io.ending.signal,
    })) {
      const said = line.trim()
      if (said === '') continue
      isSilent = false
      if (isLeaving(said)) return last
      if (isCommand(line)) {
        if ((await lines.command(said)) === 'end') return last
        continue
      }
      last = await lines.take(said)
      if (lines.isLast(last) || io.ending.signal.aborted) return last
    }
  } finally {
    // Whoever writes into the pipe may leave it open: that keeps no chat alive that has ended.
    io.stdin.destroy()
  }
  if (isSilent && !io.ending.signal.aborted) {
    throw new EchelonError(
      'INVALID_INPUT',
      'nothing was said; give a message, or write lines into the pipe',
    )
  }
  return last
}
