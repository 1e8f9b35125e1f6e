import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
} from 'node:fs'
import { resolve } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import { refuseLinkedFolder } from 'echelon/internal/platform'

/**
 * Creates a folder for its owner only; an existing folder keeps its mode.
 * @returns its absolute path
 * @throws EchelonError INVALID_CONFIG for a symbolic link, another user's folder, or one that cannot be
 * created
 */
export function privateFolder(folder: string): string {
  const path = resolve(folder)
  try {
    refuseLinkedFolder(path)
    makeFolder(path)
    requireOwn(path, lstatSync(path), 'folder')
    return path
  } catch (cause) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `records cannot be kept in ${folder} (${reasonOf(cause)}); choose another folder`,
      { cause },
    )
  }
}

/** Not recursive: Node's `recursive` never ends on file systems that hide folders, such as /proc. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') throw new Error('the parent folder does not exist', { cause })
    if (codeOf(cause) !== 'EEXIST') throw cause
  }
}

/**
 * Opens a file for reading and appending, and creates it if needed; it must belong to this user, and
 * only the owner may read it. Links are not followed.
 */
export function withPrivateFile<Result>(path: string, use: (file: number) => Result): Result {
  const file = openSync(path, APPENDED, 0o600)
  try {
    const stats = fstatSync(file)
    requireOwn(path, stats, 'file')
    if ((stats.mode & 0o777) !== 0o600) fchmodSync(file, 0o600)
    return use(file)
  } finally {
    closeSync(file)
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants
const APPENDED = O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR

/** @throws Error for a link, a device, or something that belongs to another user */
export function requireOwn(path: string, stats: Stats, kind: 'file' | 'folder'): void {
  if (stats.isSymbolicLink()) throw new Error(`${path} is a symbolic link`)
  if (!(kind === 'file' ? stats.isFile() : stats.isDirectory())) {
    throw new Error(`${path} is not a ${kind}`)
  }
  // Windows has no such owner.
  const me = process.geteuid?.()
  if (me !== undefined && stats.uid !== me) throw new Error(`${path} belongs to another user`)
}

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
