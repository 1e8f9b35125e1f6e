import { existsSync } from 'node:fs'
import type { Command, Inside, Wall } from './wall.ts'

/** Library folders on each kind of Linux. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/gnu/store']
const LINKER = ['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d']

/** These hold sockets of services and files of other programs, such as an agent's keys. */
const SHARED = ['/tmp', '/run', '/var/tmp']

/**
 * Bubblewrap: separate namespaces for network, processes, users and the file system. Files outside
 * the list do not exist inside. The process and its children end with the process that started it.
 */
export const bwrap = (program: string): Wall => ({
  name: 'bwrap',
  holds: 'no network, no other process, nothing written, and JavaScript sees its own files alone',
  blocksWrites: true,
  around: (command, inside) => [
    program,
    ...APART,
    ...viewOf(command, inside),
    '--',
    ...CLEARED,
    ...command,
  ],
})

/** Bubblewrap sets the folder in the environment, which must stay as given. */
const CLEARED = ['/usr/bin/env', '-u', 'PWD']

/**
 * No separate session, since the process would then leave the group that is ended with its starter.
 */
const APART = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'] as const

function viewOf(
  [program]: Command,
  { reads, readsAll = false, folder }: Inside,
): readonly string[] {
  const fresh = ['--dev', '/dev', '--proc', '/proc']
  const own = [...new Set([...reads, program, folder])].flatMap(readOnly)
  const stand = ['--chdir', folder]
  if (readsAll) {
    const shared = SHARED.filter((path) => existsSync(path))
    const emptied = shared.flatMap((path) => ['--tmpfs', path])
    return [...readOnly('/'), ...fresh, ...emptied, ...own, ...closed('/dev', ...shared), ...stand]
  }
  const seen = [...SYSTEM, ...LINKER].flatMap(readOnly)
  return [...seen, ...fresh, ...own, ...closed('/', '/dev'), ...stand]
}

/** Files written there would be in memory, without a limit. Devices stay writable. */
const closed = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => ['--remount-ro', folder])

const readOnly = (path: string): readonly string[] => ['--ro-bind-try', path, path]
