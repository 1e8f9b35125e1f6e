import { EchelonError } from 'echelon'
import pc from 'picocolors'
import { COMMAND_NAMES, runCommand, wordsOf } from './commands.ts'
import { LinePrompt } from './line-prompt.ts'
import { linesInTerminal } from './lines-in-terminal.ts'
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
  const lines = new LinePrompt(saidBefore(talk), COMMAND_NAMES)
  const face = new TerminalFace(lines, approve)
  greet(talk)
  return linesInTerminal<Ended>(lines, {
    command: (line) => runCommand(line, talk, face),
    take: (said) => turn(talk, said, face),
    isLast: ({ reason }) => reason === 'waits',
  })
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
