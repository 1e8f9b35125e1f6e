import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** A process that holds leases, as it stands in their rows. Each opened store is one of its own. */
export const newHolder = (): string => `${randomUUID()}@${hostname()}:${process.pid}`

/**
 * Whether a holder is known to be dead, without waiting for its lease to run out: its process was on
 * this machine and is no more. Of another machine nothing is known. A number that another process
 * has by now, or one in another container of the same host name, makes a wrong verdict: the fence
 * then keeps whoever lives from writing, and nothing is done twice.
 */
export function isGone(holder: string): boolean {
  const [, host, pid] = /^[^@]+@(.+):(\d+)$/.exec(holder) ?? []
  if (host !== hostname() || pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    // One that belongs to somebody else lives.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
