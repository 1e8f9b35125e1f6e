import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { refuseLinkedFolder } from 'echelon/internal/platform'

/**
 * Creates a file that only its owner can read, if it does not exist, and its folder too. An
 * existing folder keeps its mode, since it may hold other files; so does an existing file, which
 * may be another program's.
 * @throws Error for a link, something other than a file, or a file of another user
 */
export function makePlace(path: string): void {
  refuseLinkedFolder(dirname(resolve(path)))
  makeFolder(dirname(path))
  // Created with its mode, not changed later: another user could open it in between.
  if (!existsSync(path)) closeSync(openSync(path, CREATED, 0o600))
  own(path)
}

/** Makes a file, and those that SQLite keeps beside it, readable by its owner alone. */
export function makePrivate(path: string): void {
  for (const [each, { mode }] of own(path)) if ((mode & 0o077) !== 0) chmodSync(each, 0o600)
}

/** The files that exist. SQLite gives the files it creates the mode of the first. */
function own(path: string): readonly (readonly [path: string, stats: Stats])[] {
  return ['', '-wal', '-shm', '-journal'].flatMap((suffix) => {
    const each = `${path}${suffix}`
    const stats = lstatSync(each, { throwIfNoEntry: false })
    if (stats === undefined) return []
    requireOwn(each, stats)
    return [[each, stats] as const]
  })
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants
const CREATED = O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR

/** Whether SQLite can use a file: it writes beside it even when it only reads. */
export function canBeWritten(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * One level at a time: Node's `recursive` never ends on file systems that hide folders, such as
 * /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(folder)) throw error
  }
}

function requireOwn(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw new Error(`${path} is a symbolic link`)
  if (!stats.isFile()) throw new Error(`${path} is not a file`)
  // Windows has no such owner.
  const me = process.geteuid?.()
  if (me !== undefined && stats.uid !== me) throw new Error(`${path} belongs to another user`)
}
