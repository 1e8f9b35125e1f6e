import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { fakeTerminal } from './fake-terminal.ts'
import { runInProcess } from './in-process.ts'
import { plainEnvironment } from './run-command.ts'

/** What a person waits for on the screen, and what they type then. */
export type Keys = readonly [seen: string, typed: string]

/** Where a command is run. */
export interface Place {
  readonly folder: string
  readonly more?: Readonly<Record<string, string>>
  /** How wide the terminal is; default 80. */
  readonly columns?: number
}

/** How a command ended, with what was on the screen, without colors. */
export interface Shown {
  /** 128 and the number of a signal that killed it. */
  readonly status: number | null
  readonly screen: string
}

/** A command at work on a terminal. */
export interface OnTerminal {
  /** Waits until the text is on the screen, after what was waited for before. */
  seen(text: string): Promise<void>
  /** Waits, then types. */
  type(seen: string, typed: string): Promise<void>
  ended(): Promise<Shown>
}

interface InProcess extends OnTerminal {
  /** Tells the command to end, and waits until it has. */
  tell(signal: 'SIGTERM' | 'SIGHUP'): Promise<Shown>
}

/** How long a text may take to appear. */
const MOST_MS = 60_000

/** Starts the command in this process, on an imitated terminal. */
export function beginOnTerminal(
  args: readonly string[],
  { folder, more = {}, columns = 80 }: Place,
): InProcess {
  const env = { ...plainEnvironment(more), TERM: 'xterm' }
  const terminal = fakeTerminal(env, columns)
  let isOver = false
  const over = runInProcess(args, folder, terminal.io).finally(() => (isOver = true))
  // Whoever waits for the end is told of a failure.
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

/** Runs the command in this process on an imitated terminal, and types as a person would. */
export const onTerminal = (
  args: readonly string[],
  keys: readonly Keys[],
  place: Place,
): Promise<Shown> => typeAll(beginOnTerminal(args, place), keys)

/** Types each of them once what is waited for is shown after what was waited for before. */
export async function typeAll(begun: OnTerminal, keys: readonly Keys[]): Promise<Shown> {
  for (const [seen, typed] of keys) await begun.type(seen, typed)
  return await begun.ended()
}

/** Without colors and movements of the cursor. */
export const plainScreen = (screen: string): string =>
  stripVTControlCharacters(screen).replaceAll('\r', '')
