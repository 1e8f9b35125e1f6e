import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { fakeTerminal } from './fake-terminal.ts'
import { runInProcess } from './in-process.ts'
import { plainEnvironment } from './run-command.ts'

/** Text to wait for on the screen, and keys to type then. */
export type Keys = readonly [seen: string, typed: string]

/** Where a command is run. */
export interface Place {
  readonly folder: string
  readonly more?: Readonly<Record<string, string>>
  /** Width of the terminal; default: 80. */
  readonly columns?: number
}

/** Result of a command, with the screen text without colors. */
export interface Shown {
  /** Exit status; 128 plus the signal number if it was killed. */
  readonly status: number | null
  readonly screen: string
}

/** A running command on a terminal. */
export interface OnTerminal {
  /** Waits for a text on the screen after the previous one. */
  seen(text: string): Promise<void>
  /** Waits, then types. */
  type(seen: string, typed: string): Promise<void>
  ended(): Promise<Shown>
}

interface InProcess extends OnTerminal {
  /** Sends a signal and waits for the end. */
  tell(signal: 'SIGTERM' | 'SIGHUP'): Promise<Shown>
}

/** Time limit for a text to appear. */
const MOST_MS = 60_000

/** Starts the command in this process on a fake terminal. */
export function beginOnTerminal(
  args: readonly string[],
  { folder, more = {}, columns = 80 }: Place,
): InProcess {
  const env = { ...plainEnvironment(more), TERM: 'xterm' }
  const terminal = fakeTerminal(env, columns)
  let isOver = false
  const over = runInProcess(args, folder, terminal.io).finally(() => (isOver = true))
  // The caller gets the failure when it waits for the end.
  over.catch(() => undefined)
  let read = 0
  const seen = async (text: string): Promise<void> => {
    const until = Date.now() + MOST_MS
    for (let at = -1; at === -1;) {
      const wasOver = isOver
      at = terminal.screen().indexOf(text, read)
      if (at !== -1) read = at + text.length
      else if (wasOver || Date.now() > until) {
        throw new Error(`never seen: ${text}\n${terminal.screen()}`)
      } else await setTimeout(5)
    }
  }
  const ended = async (): Promise<Shown> => {
    const status = await over
    return { status, screen: plainScreen(terminal.screen()) }
  }
  return {
    seen,
    async type(text, typed) {
      await seen(text)
      terminal.type(typed)
    },
    ended,
    async tell(signal) {
      terminal.io.signals.emit(signal, signal)
      return await ended()
    },
  }
}

/** Runs the command in this process on a fake terminal, and types the keys. */
export const onTerminal = (
  args: readonly string[],
  keys: readonly Keys[],
  place: Place,
): Promise<Shown> => typeAll(beginOnTerminal(args, place), keys)

/** Types the keys one after another, each once its text has appeared. */
export async function typeAll(begun: OnTerminal, keys: readonly Keys[]): Promise<Shown> {
  for (const [seen, typed] of keys) await begun.type(seen, typed)
  return await begun.ended()
}

/** Screen text without colors and cursor movement. */
export const plainScreen = (screen: string): string =>
  stripVTControlCharacters(screen).replaceAll('\r', '')
