import pc from 'picocolors'
import type { LinePrompt } from './line-prompt.ts'
import type { Lines } from './through-pipe.ts'
import { isCommand, isLeaving } from '../typed-commands.ts'
import type { Io } from '../../io.ts'

/**
 * What a person types, until they end it or nothing more can be said.
 * @returns how the last turn ended; nothing when there was none
 */
export async function linesInTerminal<End>(
  io: Io,
  prompt: LinePrompt,
  lines: Lines<End>,
): Promise<End | undefined> {
  using _heed = io.ending.heed()
  let last: End | undefined
  let interrupts = 0
  for (;;) {
    const typed = await prompt.ask(pc.bold('> '), { signal: io.ending.signal })
    if (io.ending.signal.aborted) return last
    if (typed.type === 'end') {
      io.stdout.write('\n')
      return last
    }
    if (typed.type === 'interrupt') {
      if (typed.wasEmpty && ++interrupts > 1) return last
      io.stdout.write(pc.dim('Ctrl-C again ends the chat; so do /exit and Ctrl-D\n'))
      continue
    }
    interrupts = 0
    const said = typed.text.trim()
    if (said === '') continue
    if (isLeaving(said)) return last
    // What was pasted is said, also where it begins as a command does.
    if (!said.includes('\n') && isCommand(typed.text)) {
      if ((await lines.command(said)) === 'end') return last
      continue
    }
    last = await lines.take(said)
    if (lines.isLast(last) || io.ending.signal.aborted) return last
    io.stdout.write('\n')
  }
}
