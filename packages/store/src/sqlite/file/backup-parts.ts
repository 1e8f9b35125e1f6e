import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isGone } from '../runs/holder.ts'

/**
 * The name of a partial backup. It holds the process id, so that others can tell whether its writer
 * lives.
 */
export const newPart = (target: string): string =>
  `${target}.${randomUUID()}@${hostname()}.${process.pid}.part`

const PART = /\.([0-9a-f-]{36})@(.+)\.(\d+)\.part$/

/**
 * Partial backups in a folder whose processes were killed on this machine; none if it cannot be
 * read.
 */
export function partsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const [, id, host, pid] = PART.exec(name) ?? []
      const isLeft = id !== undefined && isGone(`${id}@${host}:${pid}`)
      return isLeft ? [join(folder, name)] : []
    })
  } catch {
    return []
  }
}

/**
 * Removes a partial backup and the files that SQLite keeps beside it. Failing to remove one does no
 * harm.
 */
export function removePart(part: string): void {
  for (const rest of [part, `${part}-journal`, `${part}-wal`, `${part}-shm`]) {
    try {
      rmSync(rest, { force: true })
    } catch {
      // The folder is read-only.
    }
  }
}
