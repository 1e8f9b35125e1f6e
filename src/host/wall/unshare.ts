import type { Wall } from './wall.ts'

/**
 * The namespaces of Linux by the tool that is nearly everywhere: no network and a process tree of its own,
 * which ends with the process that started it. Files are as they were, sockets in the file system too.
 */
export const unshare = (program: string): Wall => ({
  name: 'unshare',
  holds: 'no network, no signal to another process',
  around: (command) => [program, ...APART, '--', ...command],
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
