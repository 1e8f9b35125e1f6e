import { statSync } from 'node:fs'

/**
 * Whether a path exists. If that cannot be determined, because a folder above it is unreadable or a
 * file, it throws, so that inaccessible data does not count as absent.
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
