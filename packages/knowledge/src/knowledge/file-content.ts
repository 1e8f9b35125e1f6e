import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { EchelonError } from 'echelon/internal/value'

/**
 * The bytes of a file, up to a limit.
 * @throws EchelonError INVALID_INPUT for a file that is too large, or no longer a file
 */
export async function fileContent(path: string, maxBytes: number): Promise<Uint8Array> {
  // Since the search it may have become a link, or a pipe without a writer.
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw unusable(`${path} is not a file`)
    if (stats.size > maxBytes) {
      throw unusable(
        `${path} has ${stats.size} bytes, and at most ${maxBytes} are read; split it, or raise maxBytes`,
      )
    }
    const bytes = new Uint8Array(stats.size)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const unusable = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
