import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'

/** A text file as it was read; one that is absent is no problem in itself. */
export interface TextFile {
  /** As it is shown. */
  readonly path: string
  /** `null`: absent, or there is a problem. */
  readonly text: string | null
  /** One sentence. */
  readonly problem: string | null
  /** Whether others than its owner may read it. */
  readonly isShared: boolean
}

/** Nobody writes so much by hand. */
const MOST_BYTES = 1024 * 1024

/**
 * Reads a file of settings, whatever is there.
 * @param from folder that a relative path begins at
 */
export async function readTextFile(path: string, from: string): Promise<TextFile> {
  const read = { path, text: null, problem: null, isShared: false }
  const flawed = (what: string): TextFile => ({ ...read, problem: `${path} ${what}` })
  let file: FileHandle | undefined
  try {
    // Else a pipe without a writer would be waited for.
    file = await open(resolve(from, path), constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await file.stat()
    // Some keep an environment of Python under this name.
    if (stat.isDirectory() && basename(path) === '.env') return read
    if (!stat.isFile())
      return flawed(
        basename(path) === '.env'
          ? 'is no file; write it as a text of NAME=value lines, or remove it'
          : 'is no file; name a file in YAML',
      )
    if (stat.size > MOST_BYTES) return flawed('is larger than 1 MB; no configuration is')
    const bytes = await file.readFile()
    if (bytes.includes(0)) return flawed('is binary; write it as UTF-8 text')
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Windows has no such bits: there they say nothing.
    const isShared = process.platform !== 'win32' && (stat.mode & 0o077) !== 0
    return { ...read, text, isShared }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return read
    if (isCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) {
      return flawed('is no UTF-8 text; convert it')
    }
    const reason = error instanceof Error ? error.message : String(error)
    return flawed(`cannot be read (${reason}); change its permissions or name another`)
  } finally {
    await file?.close()
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
