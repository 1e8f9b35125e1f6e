import { EchelonError } from 'echelon/runtime'
import pc from 'picocolors'
import { clean, cut } from '../../terminal/clean.ts'
import { COMMAND_NAMES, runCommand } from '../commands.ts'
import { LinePrompt } from './line-prompt.ts'
import { linesInTerminal } from './lines-in-terminal.ts'
import type { Approve } from './plain-face.ts'
import { lastExchange, wordsOf } from '../said.ts'
import type { Talk, TurnEnd } from '../talk.ts'
import { answerText, greeting, TerminalFace, wrapped } from './terminal-face.ts'
import type { Io } from '../../io.ts'

/** How a turn ended, or why it could not even begin. */
export type Ended = TurnEnd | { readonly reason: EchelonError['code'] }

/**
 * A conversation with a person, until they end it or a turn waits for another time.
 * @param showsLast whether the last exchange of a conversation that goes on is shown first
 * @returns how the last turn ended; nothing when there was none
 */
export async function talkInTerminal(
  io: Io,
  talk: Talk,
  approve: Approve | undefined,
  showsLast: boolean,
): Promise<Ended | undefined> {
  const lines = new LinePrompt(io, saidBefore(talk), COMMAND_NAMES)
  const face = new TerminalFace(io, lines, approve)
  greet(io, talk)
  if (showsLast) showLast(io, talk)
  return linesInTerminal<Ended>(io, lines, {
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

function greet(io: Io, { agent, session }: Talk): void {
  const before = session.length === 0 ? '' : ` · goes on after ${session.length} messages`
  io.stdout.write(
    `${greeting(io, `${pc.bold('echelon chat')} · ${pc.cyan(agent.model ?? '')}${before} · ${pc.dim('/help lists commands, Ctrl-D ends')}`)}\n\n`,
  )
}

/** More of an old message is what nobody reads again. */
const MOST_SHOWN = 4000

/** So that whoever comes back knows where they were. */
function showLast(io: Io, { session }: Talk): void {
  const last = lastExchange(session.messages)
  if (last === undefined) return
  const asked = pc.dim(`> ${wrapped(io, cut(clean(last.asked), MOST_SHOWN))}`)
  const { answered } = last
  const more = answered.length - MOST_SHOWN
  const rest = more > 0 ? `… and ${more.toLocaleString('en-US')} more characters\n` : ''
  const answer =
    answered === '' ? 'there was no answer' : answerText(io, answered.slice(0, MOST_SHOWN))
  io.stdout.write(`${asked}\n${answer}\n${rest}\n`)
}

/** A conversation that is resumed brings what was typed in it. */
const saidBefore = ({ session }: Talk): readonly string[] =>
  session.messages.flatMap((message) => (message.role === 'user' ? [wordsOf(message)] : []))
