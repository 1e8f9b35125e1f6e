import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Why a file is not read. The sentence goes behind its name. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/**
 * The absolute path of a file that a listing of the folder held: no link on the way leads elsewhere,
 * also when somebody put one there since.
 * @param folder absolute, and itself no link
 * @throws UnreadableFile
 */
export async function pathWithin(folder: string, path: string): Promise<string> {
  const file = join(folder, path)
  if ((await realpath(file).catch(() => undefined)) === file) return file
  throw new UnreadableFile('is not there, or a link on its way leads elsewhere')
}

/**
 * The text of such a file.
 * @throws UnreadableFile for one that is larger, or is no UTF-8
 */
export async function textWithin(folder: string, path: string, mostBytes: number): Promise<string> {
  const file = await pathWithin(folder, path)
  // Without waiting for whoever would write into a pipe of that name.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(file, flags).catch(() => undefined)
  if (handle === undefined) throw new UnreadableFile('cannot be read')
  try {
    return await textOf(handle, mostBytes)
  } finally {
    await handle.close()
  }
}

async function textOf(handle: FileHandle, mostBytes: number): Promise<string> {
  if (!(await handle.stat()).isFile()) throw new UnreadableFile('is no file')
  // One more than may be, so that a file that grows meanwhile is seen.
  const buffer = new Uint8Array(mostBytes + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  if (length > mostBytes) throw new UnreadableFile(`is larger than ${mostBytes} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length))
  } catch {
    throw new UnreadableFile('is no text in UTF-8')
  }
}
