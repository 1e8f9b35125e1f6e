import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies a process that holds leases. Each opened store has its own. */
export const newHolder = (): string => `${randomUUID()}@${PLACE}:${process.pid}`

/**
 * Where process ids mean the same. The name of a machine is not enough, since containers may share
 * it: the start of the machine and the namespace of its processes tell them apart.
 */
const PLACE = placeOfProcess()

function placeOfProcess(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${hostname()}/${boot}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return `${hostname()}/${process.platform}`
  }
}

/**
 * Whether a holder is known to be dead before its lease expires: its process was in this place and is
 * gone. Nothing is known of other machines. A reused process id makes the verdict late, never wrong.
 */
export function isGone(holder: string): boolean {
  const [, place, pid] = /^[^@]+@(.+):(\d+)$/.exec(holder) ?? []
  if (place !== PLACE || pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    // A process of another user is alive.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
