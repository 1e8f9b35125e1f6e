import type { Wall } from './wall.ts'

/**
 * Linux namespaces through a tool that is nearly always installed: no network, and a separate
 * process tree that ends as one. Files stay accessible, including sockets in the file system.
 */
export const unshare = (program: string): Wall => ({
  name: 'unshare',
  holds: 'no network, no signal to another process',
  blocksWrites: false,
  around: (command) => [program, ...APART, '--', ...FIRST, ...command],
})

const APART = [
  '--user',
  '--map-current-user',
  '--net',
  '--ipc',
  '--pid',
  '--fork',
  '--kill-child',
] as const

/**
 * The first process of a tree ignores signals that would end it, including its own abort. So the
 * shell is first; it starts the command from its arguments and passes the exit status on.
 */
const FIRST = [
  '/bin/sh',
  '-c',
  '/usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ "$@"; exit $?',
  'sh',
] as const
