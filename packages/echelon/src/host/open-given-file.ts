import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { requireFile } from './unreadable-file.ts'

const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants

/** A pipe that nobody writes to would be waited for, and a terminal would become ours. */
export const OPENED: number = O_RDONLY | O_NONBLOCK | O_NOCTTY

/**
 * Opens such a file for reading, for a reader with a limit of its own.
 * @throws UnreadableFileError, and what the system says of a file that is not there
 */
export async function openGivenFile(path: string | URL): Promise<FileHandle> {
  // Some devices act when they are opened.
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
