import pc from 'picocolors'
import type { Face } from '../conversation/converse.ts'
import { answerText, printTitle, wrapped } from '../conversation/terminal-display.ts'
import type { Io } from '../io.ts'
import { clean, cut } from '../terminal/clean.ts'
import { CHAT_COMMANDS } from './commands.ts'
import { lastExchange, wordsOf } from './said.ts'
import type { Talk } from './talk.ts'

/**
 * A chat as a conversation.
 * @param showsLast whether a resumed conversation shows its last exchange first
 */
export const chatFace = (talk: Talk, showsLast: boolean): Face<Talk> => ({
  commands: CHAT_COMMANDS,
  context: talk,
  history: talk.session.messages.flatMap((one) => (one.role === 'user' ? [wordsOf(one)] : [])),
  greet() {
    const { agent, session, io } = talk
    const before = session.length === 0 ? [] : [`goes on after ${session.length} messages`]
    printTitle(io, 'chat', [pc.cyan(agent.model ?? ''), ...before])
    if (showsLast) showLast(io, talk)
  },
  take: (text) => talk.take(text),
  redact: (text) => talk.speaker.redact(text),
})

/** Characters of an old message that are shown. */
const MOST_SHOWN = 4000

/** Reminds the user where the conversation stopped. */
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
