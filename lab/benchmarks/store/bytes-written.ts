import { existsSync, readFileSync } from 'node:fs'

/**
 * Bytes that this process has written, log and file alike; undefined if the system does not count
 * them.
 */
export function bytesWritten(): number | undefined {
  if (!existsSync('/proc/self/io')) return undefined
  const [, written] = /^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? []
  return Number(written)
}
