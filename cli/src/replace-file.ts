import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Replaces a file atomically: the old content stays until all of the new text is on disk, and if
 * writing fails.
 * @param mode file mode; default: 0666 without the bits of the umask
 * @throws the system's Error; no draft is left behind
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const draft = `${path}.${randomUUID()}`
  try {
    // Flushed, so that a crash of the machine cannot leave the new name with an empty file.
    writeFileSync(draft, text, { flag: 'wx', flush: true, ...(mode !== undefined && { mode }) })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
