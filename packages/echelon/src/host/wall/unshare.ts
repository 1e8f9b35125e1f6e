import type { Wall } from './wall.ts'

/**
 * The namespaces of Linux by the tool that is nearly everywhere: no network and a process tree of its own,
 * which ends as one. Files are as they were, sockets in the file system too.
 */
export const unshare = (program: string): Wall => ({
  name: 'unshare',
  holds: 'no network, no signal to another process',
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
 * The first process of a tree takes no signal that would end it, its own abort included. So the shell is
 * the first; it starts the command, which is in its arguments, and passes its end on.
 */
const FIRST = [
  '/bin/sh',
  '-c',
  '/usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ "$@"; exit $?',
  'sh',
] as const
