import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Why a file was not read. The message follows the file's name in a sentence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/**
 * The absolute path of a file listed in the folder. Rejects paths through links that lead elsewhere,
 * even if created since the listing.
 * @param folder absolute, and not a link itself
 * @throws UnreadableFile
 */
export async function pathWithin(folder: string, path: string): Promise<string> {
  const file = join(folder, path)
  if ((await realpath(file).catch(() => undefined)) === file) return file
  throw new UnreadableFile('is not there, or a link on its way leads elsewhere')
}

/**
 * The text of such a file.
 * @throws UnreadableFile for a file that is too large or not UTF-8
 */
export async function textWithin(folder: string, path: string, maxBytes: number): Promise<string> {
  const file = await pathWithin(folder, path)
  // Nonblocking, so that opening a named pipe does not wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(file, flags).catch(() => undefined)
  if (handle === undefined) throw new UnreadableFile('cannot be read')
  try {
    return await textOf(handle, maxBytes)
  } finally {
    await handle.close()
  }
}

async function textOf(handle: FileHandle, maxBytes: number): Promise<string> {
  if (!(await handle.stat()).isFile()) throw new UnreadableFile('is not a file')
  // One byte over the limit, to detect a file that grows in the meantime.
  const buffer = new Uint8Array(maxBytes + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  if (length > maxBytes) throw new UnreadableFile(`is larger than ${maxBytes} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length))
  } catch {
    throw new UnreadableFile('is not UTF-8 text')
  }
}
