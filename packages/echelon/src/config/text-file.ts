import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'

/** A text file as read. An absent file is not a problem by itself. */
export interface TextFile {
  /** The path as shown to users. */
  readonly path: string
  /** `null` if the file is absent or has a problem. */
  readonly text: string | null
  /** One sentence, or null. */
  readonly problem: string | null
  /** Whether users other than the owner can read it. */
  readonly isShared: boolean
}

/** No hand-written file is this large. */
const MOST_BYTES = 1024 * 1024

/**
 * Reads a settings file. A folder, a pipe or any other special file at the path is a problem of the result.
 * @param from the folder for relative paths
 */
export async function readTextFile(path: string, from: string): Promise<TextFile> {
  const read = { path, text: null, problem: null, isShared: false }
  const flawed = (what: string): TextFile => ({ ...read, problem: `${path} ${what}` })
  let file: FileHandle | undefined
  try {
    // Otherwise opening a pipe without a writer would block.
    file = await open(resolve(from, path), constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await file.stat()
    // Some users keep a Python environment in a folder of this name.
    if (stat.isDirectory() && basename(path) === '.env') return read
    if (!stat.isFile())
      return flawed(
        basename(path) === '.env'
          ? 'is not a file; write it as text with NAME=value lines, or remove it'
          : 'is not a file; name a YAML file',
      )
    if (stat.size > MOST_BYTES) return flawed('is larger than 1 MB, too large for a configuration')
    const bytes = await file.readFile()
    if (bytes.includes(0)) return flawed('is binary; write it as UTF-8 text')
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Windows has no such permission bits.
    const isShared = process.platform !== 'win32' && (stat.mode & 0o077) !== 0
    return { ...read, text, isShared }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return read
    if (isCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) {
      return flawed('is not UTF-8 text; convert it')
    }
    const reason = error instanceof Error ? error.message : String(error)
    return flawed(`cannot be read (${reason}); change its permissions or name another`)
  } finally {
    await file?.close()
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
