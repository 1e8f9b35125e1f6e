import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const LEAST_BYTES = 4 * 1024 ** 3

/**
 * A folder for temporary files: in memory where Linux has room for it, unless `TMPDIR` names another. The stores
 * flush each write, so on a disk the tests would spend half of their time waiting for it.
 */
export const temporaryFolder = (): string =>
  process.env['TMPDIR'] === undefined && isUsable() ? MEMORY : tmpdir()

/** Containers may have little room there, or forbid programs, which some tests write and run. */
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY)
    return bavail * bsize >= LEAST_BYTES && mount?.[3]?.split(',').includes('noexec') === false
  } catch {
    return false
  }
}
