import { chmodSync, lstatSync, type Stats } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, reasonOf, requireOwn } from './private-file.ts'

/**
 * Does something while no other process does the same. The lock is the write lock of an empty
 * SQLite database: the system frees it when a process dies, however it dies, so that there is no
 * stale lock to guess about. Nothing is ever written to it.
 * @param wait milliseconds until it is given up; this thread does nothing else meanwhile
 * @throws Error when the lock cannot be had, and what `work` throws
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

/** A full disk, or one that may only be read, is nobody else's lock. */
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
