import pc from 'picocolors'
import { ending, heedEnding } from '../told-to-end.ts'
import type { LinePrompt } from './line-prompt.ts'
import type { Lines } from './through-pipe.ts'
import { isCommand, isLeaving } from './typed-commands.ts'

/**
 * What a person types, until they end it or nothing more can be said.
 * @returns how the last turn ended; nothing when there was none
 */
export async function linesInTerminal<End>(
  prompt: LinePrompt,
  lines: Lines<End>,
): Promise<End | undefined> {
  using _heed = heedEnding()
  let last: End | undefined
  let interrupts = 0
  for (;;) {
    const typed = await prompt.ask(pc.bold('> '), { signal: ending })
    if (ending.aborted) return last
    if (typed.type === 'end') {
      process.stdout.write('\n')
      return last
    }
    if (typed.type === 'interrupt') {
      if (typed.wasEmpty && ++interrupts > 1) return last
      process.stdout.write(pc.dim('Ctrl-C again ends the chat; so do /exit and Ctrl-D\n'))
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
    if (lines.isLast(last) || ending.aborted) return last
    process.stdout.write('\n')
  }
}
