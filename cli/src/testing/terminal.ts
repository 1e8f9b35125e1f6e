import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { plainEnvironment } from './run-command.ts'

const MAIN = join(import.meta.dirname, '../main.ts')

/** Why no terminal can be had on this machine; false where one can. */
export const noTerminal: string | false = spawnSync('script', ['--version'])
  .stdout?.toString()
  .includes('util-linux')
  ? false
  : 'a terminal is made by script of util-linux, which is not here'

/** What a person waits for on the screen, and what they type then. */
export type Keys = readonly [seen: string, typed: string]

/**
 * Runs the command on a terminal of its own, and types as a person would: each only when what is
 * waited for stands after what was waited for before.
 * @returns what was on the screen, without colours
 */
export async function onTerminal(
  args: readonly string[],
  keys: readonly Keys[],
  { folder, more = {} }: { folder: string; more?: Readonly<Record<string, string>> },
): Promise<{ readonly status: number | null; readonly screen: string }> {
  const words = [process.execPath, '--conditions=echelon-source', MAIN, ...args]
  const command = `stty cols 80; exec ${words.map((word) => `'${word}'`).join(' ')}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    // What is never seen is waited for no longer than this.
    timeout: 60_000,
    env: { ...plainEnvironment(more), TERM: 'xterm' },
  })
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
  return { status, screen: stripVTControlCharacters(screen).replaceAll('\r', '') }
}
