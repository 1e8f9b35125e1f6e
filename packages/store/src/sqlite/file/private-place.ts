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
import { refuseLinkedFolder } from 'echelon/internal/host'

/**
 * Makes a file, if it is not there, that only its owner may read, in a folder of its own where there
 * is none. A folder that was there keeps its mode, since it may hold more than this; and so does a
 * file, which may be another program's.
 * @throws Error for a link, what is no file, or a file of somebody else
 */
export function makePlace(path: string): void {
  refuseLinkedFolder(dirname(resolve(path)))
  makeFolder(dirname(path))
  // Made with its mode, and not given it later: nobody opens it in between.
  if (!existsSync(path)) closeSync(openSync(path, CREATED, 0o600))
  own(path)
}

/** A file that others could read is theirs no more, and so are those that SQLite keeps beside it. */
export function makePrivate(path: string): void {
  for (const [each, { mode }] of own(path)) if ((mode & 0o077) !== 0) chmodSync(each, 0o600)
}

/** The files there are: SQLite gives those that it makes the mode of the first. */
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

/** Whether SQLite can work with a file as it does: it writes beside it even where it only reads. */
export function canBeWritten(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Part by part: Node's `recursive` never ends where a file system hides folders, as /proc does. */
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
  if (!stats.isFile()) throw new Error(`${path} is no file`)
  // Windows knows no such owner.
  const me = process.geteuid?.()
  if (me !== undefined && stats.uid !== me) throw new Error(`${path} belongs to somebody else`)
}
