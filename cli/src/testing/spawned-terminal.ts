import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { plainEnvironment } from './run-command.ts'
import { type OnTerminal, type Place, plainScreen, type Shown } from './terminal.ts'

/** Starts the command as a bundle, as `npm start` does, in two thirds of the CPU time. */
const MAIN = join(import.meta.dirname, '../../../toolchain/start.js')

/** Why this machine has no test terminal; false if it has one. */
export const noTerminal: string | false = spawnSync('script', ['--version'])
  .stdout?.toString()
  .includes('util-linux')
  ? false
  : 'the test terminal needs script of util-linux, which is not installed'

function startOnTerminal(
  args: readonly string[],
  { folder, more = {}, columns = 80 }: Place,
): ChildProcessWithoutNullStreams {
  const words = [process.execPath, '--conditions=echelon-source', MAIN, ...args]
  const command = `stty cols ${columns}; exec ${words.map((word) => `'${word}'`).join(' ')}`
  return spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    // Limit for text that never appears.
    timeout: 60_000,
    env: { ...plainEnvironment(more), TERM: 'xterm' },
  })
}

/** A process on a real terminal that can be killed. */
interface Spawned extends OnTerminal {
  /** Sends the command itself a signal, SIGKILL by default, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<Shown>
}

/** Spawns the command on a real terminal. */
export function spawnedOnTerminal(args: readonly string[], place: Place): Spawned {
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
  const ended = async (): Promise<Shown> => {
    const [status] = await closed
    return { status, screen: plainScreen(screen) }
  }
  return {
    seen,
    async type(text, typed) {
      await seen(text)
      child.stdin.write(typed)
    },
    ended,
    async kill(signal = 'SIGKILL') {
      // `exec` replaced the shell that script started with the command.
      const began = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      const pid = Number(began.trim().split(' ')[0])
      if (!(pid > 0)) throw new Error('there is no command to kill')
      process.kill(pid, signal)
      return await ended()
    },
  }
}
