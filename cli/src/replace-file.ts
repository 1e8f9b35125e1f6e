import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file in one go: what stood there before stays until all of the new text is on the disk, and
 * stays where that fails.
 * @param mode of a file; 0666 without the umask's bits unless given
 * @throws Error of the system; nothing is left beside the file then
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const draft = `${path}.${randomUUID()}`
  try {
    // Flushed: a machine that fails must not keep the new name with nothing in it.
    writeFileSync(draft, text, { flag: 'wx', flush: true, ...(mode !== undefined && { mode }) })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
