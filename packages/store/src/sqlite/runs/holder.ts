import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Identifies a process that holds leases. Each opened store has its own. */
export const newHolder = (): string => `${randomUUID()}@${hostname()}:${process.pid}`

/**
 * Whether a holder is known to be dead before its lease expires: its process was on this machine
 * and is gone. Nothing is known of other machines. A reused process id, or one in another container
 * with the same host name, makes the verdict wrong; the fence then keeps a live process from
 * writing, so nothing is done twice.
 */
export function isGone(holder: string): boolean {
  const [, host, pid] = /^[^@]+@(.+):(\d+)$/.exec(holder) ?? []
  if (host !== hostname() || pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    // A process of another user is alive.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
