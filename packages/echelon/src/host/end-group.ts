import type { ChildProcess } from 'node:child_process'

/** Whether processes have groups here. A child that is to be ended with its own is started `detached` then. */
export const HAS_GROUPS: boolean = process.platform !== 'win32'

/**
 * Ends a child and all of its group. A tool that puts a wall around a process can be killed before it has
 * bound that process to its own end; what it started then runs on, and holds the pipes open.
 */
export function endGroup(child: ChildProcess): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
  child.kill('SIGKILL')
}
