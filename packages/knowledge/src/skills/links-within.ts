import { opendir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Limit on entries of a skill's folder, installed packages included. */
const MAX_ENTRIES = 20_000

/**
 * Finds a link in the folder that points outside it, hidden and installed entries included: Node's
 * permission model checks path names, and so follows a link out of the readable folder.
 * @returns undefined if there is none
 * @throws RangeError for more entries than can be checked before each script
 */
export async function linkOut(folder: string): Promise<string | undefined> {
  let entries = 0
  for await (const entry of await opendir(folder, { recursive: true })) {
    entries += 1
    if (entries > MAX_ENTRIES) throw new RangeError(`holds more than ${MAX_ENTRIES} files`)
    if (!entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const target = await realpath(path).catch(() => undefined)
    if (target === undefined || !`${target}${sep}`.startsWith(`${folder}${sep}`)) return path
  }
  return undefined
}
