import { existsSync } from 'node:fs'
import type { Command, Inside, Wall } from './wall.ts'

/** Where programs find their libraries, on each kind of Linux. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/gnu/store']
const LINKER = ['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d']

/** Hold sockets of services and files of other programs, such as keys of an agent. */
const SHARED = ['/tmp', '/run', '/var/tmp']

/**
 * Bubblewrap: namespaces of its own for network, processes, users and the file system. What it is not given
 * to read is not there, and it ends with the process that started it, and with it all that it started.
 */
export const bwrap = (program: string): Wall => ({
  name: 'bwrap',
  holds: 'no network, no other process, no files but its own, none written',
  around: (command, inside) => [
    program,
    ...APART,
    ...viewOf(command, inside),
    '--',
    ...CLEARED,
    ...command,
  ],
})

/** Bubblewrap puts the folder into the environment, which is to be as it was given. */
const CLEARED = ['/usr/bin/env', '-u', 'PWD']

const APART = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'] as const

function viewOf([program]: Command, { reads, folder }: Inside): readonly string[] {
  const fresh = ['--dev', '/dev', '--proc', '/proc']
  const own = [...new Set([program, folder])].flatMap(asItIs)
  const stand = ['--chdir', folder]
  if (reads === 'all') {
    const emptied = SHARED.filter((path) => existsSync(path)).flatMap((path) => ['--tmpfs', path])
    return [...asItIs('/'), ...fresh, ...emptied, ...own, ...stand]
  }
  const seen = [...SYSTEM, ...LINKER, ...reads].flatMap(asItIs)
  // Not to be filled: what is not given lies in memory.
  const closed = ['--remount-ro', '/']
  return [...seen, ...fresh, ...own, ...closed, ...stand]
}

const asItIs = (path: string): readonly string[] => ['--ro-bind-try', path, path]
