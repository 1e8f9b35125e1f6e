import { EchelonError } from 'echelon/runtime'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import type { Io } from '../io.ts'
import { type Commands, commandIn, isCommand, isLeaving, namesOf, runCommand } from './commands.ts'
import type { Display, Ended } from './display.ts'
import { inOwnWords } from './own-words.ts'

/** The parts of a conversation that differ between agents. */
export interface Face<Context> {
  readonly commands: Commands<Context>
  /** The state that its commands work on. */
  readonly context: Context
  /** Earlier messages of the user, oldest first. */
  readonly history: readonly string[]
  /** Begins a conversation on a terminal. */
  greet(): void
  /** Runs one turn and shows it. */
  take(text: string): Promise<Ended>
  /** Hides secrets in error messages. */
  redact(text: string): string
}

/**
 * Answers one message, or holds a conversation until the user ends it, a turn waits for an answer,
 * or a turn through a pipe is canceled. Within a conversation, errors are shown and the next line
 * is read.
 * @param message if empty, messages come from the display
 * @returns how the last turn ended; undefined if there was none
 * @throws EchelonError if the message cannot be taken, and INVALID_INPUT if a pipe is empty
 */
export async function converse<Context>(
  io: Io,
  display: Display,
  face: Face<Context>,
  message: string,
): Promise<Ended | undefined> {
  const { commands } = face
  if (message !== '') {
    const isKnown = commandIn(message, commands) !== undefined
    const result = await handle(message, isKnown, display, face)
    return result === 'on' || result === 'end' ? undefined : result
  }
  using _heed = io.ending.heed()
  if (display.isTerminal) face.greet()
  let last: Ended | undefined
  let isEmpty = true
  for await (const line of display.lines(face.history, namesOf(commands))) {
    isEmpty = false
    const said = line.trim()
    if (isLeaving(said)) return last
    // Pasted text of several lines is a message even if it begins like a command.
    const result = await tryLine(said, !said.includes('\n') && isCommand(line), display, face)
    if (result === 'end') return last
    if (result === 'on') continue
    last = result
    const isOver = last === 'waiting' || (last === 'canceled' && !display.isTerminal)
    if (isOver || io.ending.signal.aborted) return last
  }
  if (!isEmpty || display.isTerminal || io.ending.signal.aborted) return last
  throw new EchelonError(
    'INVALID_INPUT',
    'there is no message; give one, or write lines into the pipe',
  )
}

type Handled = ReturnType<typeof runCommand>

const handle = <Context>(
  said: string,
  isSteering: boolean,
  display: Display,
  face: Face<Context>,
): Handled =>
  isSteering ? runCommand(said, face.commands, face.context, display) : face.take(said)

async function tryLine<Context>(
  said: string,
  isSteering: boolean,
  display: Display,
  face: Face<Context>,
): Handled {
  try {
    return await handle(said, isSteering, display, face)
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    display.complain(face.redact(inOwnWords(error.message)))
    const isTurn = !isSteering || 'turn' in (commandIn(said, face.commands) ?? {})
    return isTurn ? 'failed' : 'on'
  }
}

/** Exit status of a conversation whose last turn ended like this; a waiting one has its own. */
export const statusOf = (ended: Ended | undefined): ExitStatus =>
  ended === undefined || ended === 'answered' ? EXIT.success : EXIT.unverified
