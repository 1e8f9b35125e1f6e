import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { requireFile } from './unreadable-file.ts'

const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants

/** Otherwise a pipe without a writer would block, and a terminal would become ours. */
export const OPENED: number = O_RDONLY | O_NONBLOCK | O_NOCTTY

/**
 * Opens such a file for a reader with its own limit.
 * @throws UnreadableFileError, and the system's error for a file that does not exist
 */
export async function openGivenFile(path: string | URL): Promise<FileHandle> {
  // Checked first, since some devices act when opened.
  requireFile(await stat(path))
  const file = await open(path, OPENED)
  try {
    requireFile(await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
