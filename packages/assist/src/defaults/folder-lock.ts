import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EchelonError } from 'echelon/internal/value'

const LOCK = '.lock'
const WAIT_MS = 20
const MOST_MS = 5_000
/** A write takes milliseconds, so a lock this old belongs to a dead process. */
const STALE_MS = 30_000

/**
 * Runs an action while no other process holds the folder's lock.
 * @throws EchelonError RUN_BUSY if the folder is not free in time
 */
export async function withLock<Result>(
  folder: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const path = join(folder, LOCK)
  for (let waited = 0; !(await isTaken(path)); waited += WAIT_MS) {
    if (waited >= MOST_MS) {
      throw new EchelonError(
        'RUN_BUSY',
        `another process writes in ${folder}; try again, or delete ${path} if there is none`,
      )
    }
    await setTimeout(WAIT_MS)
  }
  try {
    return await act()
  } finally {
    await rm(path, { force: true })
  }
}

/** Tries to take the lock; true on success. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > STALE_MS) await rm(path, { force: true })
    return false
  }
}
