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
  holds: 'no network, no other process, nothing written, and JavaScript sees its own files alone',
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

/** Not a session of its own: then it would be no part of the group that is ended with its starter. */
const APART = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'] as const

function viewOf(
  [program]: Command,
  { reads, readsAll = false, folder }: Inside,
): readonly string[] {
  const fresh = ['--dev', '/dev', '--proc', '/proc']
  const own = [...new Set([...reads, program, folder])].flatMap(asItIs)
  const stand = ['--chdir', folder]
  if (readsAll) {
    const shared = SHARED.filter((path) => existsSync(path))
    const emptied = shared.flatMap((path) => ['--tmpfs', path])
    return [...asItIs('/'), ...fresh, ...emptied, ...own, ...closed('/dev', ...shared), ...stand]
  }
  const seen = [...SYSTEM, ...LINKER].flatMap(asItIs)
  return [...seen, ...fresh, ...own, ...closed('/', '/dev'), ...stand]
}

/** What lies there would lie in memory, which nothing bounds. Devices can be written to as before. */
const closed = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => ['--remount-ro', folder])

const asItIs = (path: string): readonly string[] => ['--ro-bind-try', path, path]
