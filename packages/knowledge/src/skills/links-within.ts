import { opendir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Entries of a skill's folder, those of installed packages included. */
const MOST_ENTRIES = 20_000

/**
 * A path in the folder that leads out of it, through whatever is hidden or installed there too: Node's permission
 * model goes by the names of paths, and so follows a link out of what may be read.
 * @returns nothing when all of it stays within
 * @throws RangeError for more than can be looked at before each script
 */
export async function linkOut(folder: string): Promise<string | undefined> {
  let entries = 0
  for await (const entry of await opendir(folder, { recursive: true })) {
    entries += 1
    if (entries > MOST_ENTRIES) throw new RangeError(`holds more than ${MOST_ENTRIES} files`)
    if (!entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const target = await realpath(path).catch(() => undefined)
    if (target === undefined || !`${target}${sep}`.startsWith(`${folder}${sep}`)) return path
  }
  return undefined
}
