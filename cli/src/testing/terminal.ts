import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { plainEnvironment } from './run-command.ts'

const MAIN = join(import.meta.dirname, '../main.js')

/** Why no terminal can be had on this machine; false where one can. */
export const noTerminal: string | false = spawnSync('script', ['--version'])
  .stdout?.toString()
  .includes('util-linux')
  ? false
  : 'a terminal is made by script of util-linux, which is not here'

/** What a person waits for on the screen, and what they type then. */
export type Keys = readonly [seen: string, typed: string]

/** Where a command is run. */
interface Place {
  readonly folder: string
  readonly more?: Readonly<Record<string, string>>
  /** How wide the terminal is; default 80. */
  readonly columns?: number
}

function startOnTerminal(
  args: readonly string[],
  { folder, more = {}, columns = 80 }: Place,
): ChildProcessWithoutNullStreams {
  const words = [process.execPath, '--conditions=echelon-source', MAIN, ...args]
  const command = `stty cols ${columns}; exec ${words.map((word) => `'${word}'`).join(' ')}`
  return spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    // What is never seen is waited for no longer than this.
    timeout: 60_000,
    env: { ...plainEnvironment(more), TERM: 'xterm' },
  })
}

/** How a command ended, with what was on the screen, without colours. */
interface Shown {
  /** 128 and the number of a signal that killed it. */
  readonly status: number | null
  readonly screen: string
}

/** A command on a terminal that somebody may kill. */
export interface OnTerminal {
  /** Waits until it stands on the screen, after what was waited for before. */
  seen(text: string): Promise<void>
  /** Waits, and types then. */
  type(seen: string, typed: string): Promise<void>
  /** Sends the command itself a signal, SIGKILL by default, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<Shown>
}

export function beginOnTerminal(args: readonly string[], place: Place): OnTerminal {
  const child = startOnTerminal(args, place)
  const closed = once(child, 'close')
  let screen = ''
  let read = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  const seen = async (text: string): Promise<void> => {
    for (let at = -1; at === -1;) {
      at = screen.indexOf(text, read)
      if (at !== -1) read = at + text.length
      else if (child.exitCode !== null) throw new Error(`never seen: ${text}\n${screen}`)
      else await setTimeout(10)
    }
  }
  return {
    seen,
    async type(text, typed) {
      await seen(text)
      child.stdin.write(typed)
    },
    async kill(signal = 'SIGKILL') {
      // `exec` has put the command in the place of the shell that script began.
      const began = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      const pid = Number(began.trim().split(' ')[0])
      if (!(pid > 0)) throw new Error('there is no command to kill')
      process.kill(pid, signal)
      const [status] = await closed
      return { status, screen: plainScreen(screen) }
    },
  }
}

/**
 * Runs the command on a terminal of its own, and types as a person would: each only when what is
 * waited for stands after what was waited for before.
 * @returns what was on the screen, without colours
 */
export async function onTerminal(
  args: readonly string[],
  keys: readonly Keys[],
  place: Place,
): Promise<Shown> {
  const child = startOnTerminal(args, place)
  let screen = ''
  let read = 0
  const rest = [...keys]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    for (let next = rest[0]; next !== undefined; next = rest[0]) {
      const at = screen.indexOf(next[0], read)
      if (at === -1) return
      read = at + next[0].length
      rest.shift()
      child.stdin.write(next[1])
    }
  })
  const [status] = await once(child, 'close')
  return { status, screen: plainScreen(screen) }
}

const plainScreen = (screen: string): string =>
  stripVTControlCharacters(screen).replaceAll('\r', '')
