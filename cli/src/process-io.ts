import type { Io } from './io.ts'
import { Ending } from './ending.ts'

/** The `Io` of this process. */
export function processIo(): Io {
  const exit = (status?: number): void => process.exit(status)
  return {
    // Node opens standard input when it is first read here; most commands never need it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signals: process,
    ending: new Ending(process, exit),
    exit,
  }
}
