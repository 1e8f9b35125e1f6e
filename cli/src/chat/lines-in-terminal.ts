import pc from 'picocolors'
import type { LinePrompt } from './line-prompt.ts'
import type { Lines } from './through-pipe.ts'
import { isCommand } from './typed-commands.ts'

/**
 * What a person types, until they end it or nothing more can be said.
 * @returns how the last turn ended; nothing when there was none
 */
export async function linesInTerminal<End>(
  prompt: LinePrompt,
  lines: Lines<End>,
): Promise<End | undefined> {
  let last: End | undefined
  let interrupts = 0
  for (;;) {
    const typed = await prompt.ask(pc.bold('> '))
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
    if (isCommand(typed.text)) {
      if ((await lines.command(said)) === 'end') return last
      continue
    }
    last = await lines.take(said)
    if (lines.isLast(last)) return last
    process.stdout.write('\n')
  }
}
