import type { ChildProcess } from 'node:child_process'

/**
 * Whether the system has process groups. A child to be ended with its descendants is then started
 * `detached`.
 */
export const HAS_GROUPS: boolean = process.platform !== 'win32'

/**
 * Ends a child and its group. A wall program can be killed before it ties the process to its own
 * end; the started process would then run on and hold the pipes open.
 */
export function endGroup(child: ChildProcess): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group no longer exists.
  }
  child.kill('SIGKILL')
}
