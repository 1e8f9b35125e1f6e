import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { OPENED, openGivenFile } from './open-given-file.ts'
import { requireFile, UnreadableFileError } from './unreadable-file.ts'

export { UnreadableFileError }

const LEAST = 4096

/**
 * Reads a file that a project or a user gave, whole. Only a regular file is read: a pipe, a socket, a
 * device or a folder is refused without waiting for it, and so is a file that goes on past the limit.
 * @throws UnreadableFileError, and what the system says of a file that is not there
 */
async function readGivenFile(path: string | URL, mostBytes: number): Promise<Uint8Array> {
  const file = await openGivenFile(path)
  try {
    const { size } = requireSize(await file.stat(), mostBytes)
    const whole = new Growing(mostBytes, size)
    while (true) {
      // Each read goes on where the one before it ended.
      // oxlint-disable-next-line no-await-in-loop
      const { bytesRead } = await file.read(whole.free())
      if (whole.took(bytesRead)) return whole.bytes()
    }
  } finally {
    await file.close()
  }
}

/** The same, at once. */
export function readGivenFileSync(path: string | URL, mostBytes: number): Uint8Array {
  const file = openGivenFileSync(path)
  try {
    const { size } = requireSize(fstatSync(file), mostBytes)
    const whole = new Growing(mostBytes, size)
    while (true) if (whole.took(readSync(file, whole.free()))) return whole.bytes()
  } finally {
    closeSync(file)
  }
}

/** The text of such a file; bytes that are no UTF-8 become U+FFFD. */
export const readGivenText = async (path: string | URL, mostBytes: number): Promise<string> =>
  textOf(await readGivenFile(path, mostBytes))

/** The same, at once. */
export const readGivenTextSync = (path: string | URL, mostBytes: number): string =>
  textOf(readGivenFileSync(path, mostBytes))

// A byte order mark stays, as with Node's own readFile: its readers know what to do with one.
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/**
 * Opens such a file for reading, for a reader with a limit of its own.
 * @throws UnreadableFileError, and what the system says of a file that is not there
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

/** What a file turns out to hold: its size is only its own word, and /proc says 0. */
class Growing {
  readonly #mostBytes: number
  #buffer: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(mostBytes: number, size: number) {
    this.#mostBytes = mostBytes
    // One more than it says, so that its end is seen without a larger one.
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

  /** Whether that was the end. */
  took(bytes: number): boolean {
    this.#length += bytes
    if (this.#length > this.#mostBytes) throw tooLarge(this.#mostBytes)
    return bytes === 0
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }
}
