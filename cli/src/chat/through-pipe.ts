import { createInterface } from 'node:readline'
import { EchelonError } from 'echelon'
import { isCommand, runCommand } from './commands.ts'
import type { Face, Talk, TurnEnd } from './talk.ts'

/**
 * Each line is a turn, or a command; lines that are empty are none.
 * @returns how the last turn ended; nothing when there were commands alone
 * @throws EchelonError INVALID_INPUT when nothing was said
 */
export async function talkThroughPipe(talk: Talk, face: Face): Promise<TurnEnd | undefined> {
  let last: TurnEnd | undefined
  let isSilent = true
  try {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      const said = line.trim()
      if (said === '') continue
      isSilent = false
      if (isCommand(line)) {
        if ((await runCommand(said, talk, face)) === 'end') return last
        continue
      }
      last = await talk.take(said, face)
      // Nothing more can be said while the turn before waits.
      if (last.reason === 'canceled' || last.reason === 'waits') return last
    }
  } finally {
    // Whoever writes into the pipe may leave it open: that keeps no chat alive that has ended.
    process.stdin.destroy()
  }
  if (isSilent) {
    throw new EchelonError(
      'INVALID_INPUT',
      'nothing was said; give a message, or write lines into the pipe',
    )
  }
  return last
}
