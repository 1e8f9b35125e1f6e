import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { OPENED, openGivenFile } from './open-given-file.ts'
import { requireFile, UnreadableFileError } from './unreadable-file.ts'

export { UnreadableFileError }

const LEAST = 4096

/**
 * Reads a whole file supplied by a project or a user. Reads only regular files: a pipe, socket,
 * device or folder is rejected without waiting for it, and so is a file beyond the limit.
 * @throws UnreadableFileError, and the system's error for a file that does not exist
 */
async function readGivenFile(path: string | URL, mostBytes: number): Promise<Uint8Array> {
  const file = await openGivenFile(path)
  try {
    const { size } = requireSize(await file.stat(), mostBytes)
    const whole = new FileContent(mostBytes, size)
    while (true) {
      // Each read continues where the previous one ended.
      // oxlint-disable-next-line no-await-in-loop
      const { bytesRead } = await file.read(whole.free())
      if (whole.add(bytesRead)) return whole.bytes()
    }
  } finally {
    await file.close()
  }
}

/** The synchronous version. */
export function readGivenFileSync(path: string | URL, mostBytes: number): Uint8Array {
  const file = openGivenFileSync(path)
  try {
    const { size } = requireSize(fstatSync(file), mostBytes)
    const whole = new FileContent(mostBytes, size)
    while (true) if (whole.add(readSync(file, whole.free()))) return whole.bytes()
  } finally {
    closeSync(file)
  }
}

/** The text of such a file; bytes that are not UTF-8 become U+FFFD. */
export const readGivenText = async (path: string | URL, mostBytes: number): Promise<string> =>
  textOf(await readGivenFile(path, mostBytes))

/** The synchronous version. */
export const readGivenTextSync = (path: string | URL, mostBytes: number): string =>
  textOf(readGivenFileSync(path, mostBytes))

// Keeps a byte order mark, as Node's own readFile does; readers handle it.
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/**
 * Opens such a file for a reader with its own limit.
 * @throws UnreadableFileError, and the system's error for a file that does not exist
 */
export function openGivenFileSync(path: string | URL): number {
  requireFile(statSync(path))
  const file = openSync(path, OPENED)
  try {
    requireFile(fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function requireSize(stats: Stats, mostBytes: number): Stats {
  if (stats.size > mostBytes) throw tooLarge(mostBytes)
  return stats
}

const tooLarge = (mostBytes: number): Error =>
  new UnreadableFileError(`it has more than ${mostBytes} bytes`, true)

/** Collects the actual content, since the reported size can be wrong: /proc reports 0. */
class FileContent {
  readonly #mostBytes: number
  #buffer: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(mostBytes: number, size: number) {
    this.#mostBytes = mostBytes
    // One more than the reported size, so that reading the end needs no larger buffer.
    this.#buffer = new Uint8Array(Math.max(size + 1, LEAST))
  }

  free(): Uint8Array<ArrayBuffer> {
    if (this.#length === this.#buffer.length) {
      const larger = new Uint8Array(this.#buffer.length * 2)
      larger.set(this.#buffer)
      this.#buffer = larger
    }
    return this.#buffer.subarray(this.#length)
  }

  /** Counts the read bytes; returns whether the file has ended. */
  add(bytes: number): boolean {
    this.#length += bytes
    if (this.#length > this.#mostBytes) throw tooLarge(this.#mostBytes)
    return bytes === 0
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }
}
