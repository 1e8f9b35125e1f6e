import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { EchelonError } from 'echelon'
import { FILE_READERS } from './readers.ts'

/*
 * Lets every reader read something that is not a file, one after another, and prints a line about each. A
 * reader blocked on a pipe in a system call can only be ended from outside.
 */
const [folder = ''] = process.argv.slice(2)

const KINDS: Readonly<Record<string, (path: string) => unknown>> = {
  pipe: (path) => execFileSync('/usr/bin/mkfifo', [path]),
  socket: (path) => new Promise((resolve) => sockets.listen(path, () => resolve(path))),
  folder: (path) => mkdirSync(path),
  'endless device': (path) => symlinkSync('/dev/zero', path),
  terminal: (path) => symlinkSync('/dev/tty', path),
  'link to itself': (path) => symlinkSync(path, path),
  'file of 100 GB': (path) => {
    writeFileSync(path, '')
    truncateSync(path, 1e11)
  },
}
const sockets = createServer()

let number = 0
for (const [kind, make] of Object.entries(KINDS)) {
  for (const { name, at, read } of FILE_READERS) {
    const path = join(folder, String(number++), at)
    mkdirSync(dirname(path), { recursive: true })
    await make(path)
    const before = performance.now()
    const outcome = await Promise.resolve()
      .then(() => read(path))
      .then(
        () => ({ problem: null, isOurs: true }),
        (error: unknown) => ({
          problem: error instanceof Error ? error.message : String(error),
          isOurs: error instanceof EchelonError,
        }),
      )
    const ms = Math.round(performance.now() - before)
    console.log(JSON.stringify({ name, kind, ...outcome, ms }))
    if (sockets.listening) await new Promise((resolve) => sockets.close(resolve))
  }
}
console.log(JSON.stringify({ residentMb: process.resourceUsage().maxRSS / 1024 }))
// Nothing that was started may keep the process alive.
process.exit()
