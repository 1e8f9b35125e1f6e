import { EchelonError } from 'echelon'
import pc from 'picocolors'
import { isCommand, runCommand, wordsOf } from './commands.ts'
import { LinePrompt } from './line-prompt.ts'
import type { Approve } from './plain-face.ts'
import type { Talk, TurnEnd } from './talk.ts'
import { TerminalFace } from './terminal-face.ts'

/** How a turn ended, or why it could not even begin. */
export type Ended = TurnEnd | { readonly reason: EchelonError['code'] }

/**
 * A conversation with a person, until they end it or a turn waits for another time.
 * @returns how the last turn ended; nothing when there was none
 */
export async function talkInTerminal(
  talk: Talk,
  approve: Approve | undefined,
): Promise<Ended | undefined> {
  const lines = new LinePrompt(saidBefore(talk))
  const face = new TerminalFace(lines, approve)
  greet(talk)
  let last: Ended | undefined
  let interrupts = 0
  for (;;) {
    const typed = await lines.ask(pc.bold('> '))
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
      if ((await runCommand(said, talk, face)) === 'end') return last
      continue
    }
    last = await turn(talk, said, face)
    if (last.reason === 'waits') return last
    process.stdout.write('\n')
  }
}

/** A turn that cannot even begin is no end of the chat: another model can be had. */
async function turn(talk: Talk, said: string, face: TerminalFace): Promise<Ended> {
  try {
    return await talk.take(said, face)
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    face.complain(talk.speaker.redact(error.message))
    return { reason: error.code }
  }
}

function greet({ agent, session }: Talk): void {
  const before = session.length === 0 ? '' : ` · goes on after ${session.length} messages`
  process.stdout.write(
    `${pc.bold('echelon chat')} · ${pc.cyan(agent.model ?? '')}${before} · ${pc.dim('/help lists commands, Ctrl-D ends')}\n\n`,
  )
}

/** A conversation that is resumed brings what was typed in it. */
const saidBefore = ({ session }: Talk): readonly string[] =>
  session.messages.flatMap((message) => (message.role === 'user' ? [wordsOf(message)] : []))
