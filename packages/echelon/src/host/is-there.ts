import { statSync } from 'node:fs'

/**
 * Whether a file or folder is there. Where it cannot be known, since a folder above it may not be read or
 * is a file, that is no answer: nothing would be taken for empty then.
 * @throws Error of the system
 */
export function isThere(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
