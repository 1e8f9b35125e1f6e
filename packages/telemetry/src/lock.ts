import { chmodSync, lstatSync, type Stats } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, reasonOf, requireOwn } from './private-file.ts'

/**
 * Runs `work` while no other process holds the lock. The lock is the write lock of an empty SQLite
 * database: the system frees it when a process dies in any way, so there are no stale locks. Nothing is
 * ever written to it.
 * @param wait timeout in milliseconds; the thread is blocked meanwhile
 * @throws Error when the lock is not free in time, and whatever `work` throws
 */
export function whileLocked<Result>(path: string, wait: number, work: () => Result): Result {
  const before = statsOf(path)
  if (before !== undefined) requireOwn(path, before, 'file')
  const database = new DatabaseSync(path, { timeout: wait })
  try {
    if (before === undefined) chmodSync(path, 0o600)
    takeLock(database, path)
    return work()
  } finally {
    database.close()
  }
}

function takeLock(database: DatabaseSync, path: string): void {
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (cause) {
    if (isBusy(cause)) throw new Error(`${path} is locked by another process`, { cause })
    throw new Error(`${path} cannot be locked (${reasonOf(cause)})`, { cause })
  }
}

const SQLITE_BUSY = 5

/** A full or read-only disk is not a busy lock. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
