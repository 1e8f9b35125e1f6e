import type { Wall } from './wall.ts'

/**
 * The macOS sandbox. The manual calls `sandbox-exec` deprecated, but every version has it.
 * Untested; Mach services stay open.
 */
export const seatbelt = (program: string): Wall => ({
  name: 'sandbox-exec',
  holds: 'no network, no signal to another process, no files written',
  blocksWrites: true,
  around: (command) => [program, '-p', PROFILE, ...command],
})

const PROFILE = `(version 1)
(allow default)
(deny network*)
(deny signal)
(allow signal (target self))
(deny file-write*)
(allow file-write* (literal "/dev/null") (literal "/dev/dtracehelper"))`
