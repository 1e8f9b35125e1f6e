import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isGone } from '../runs/holder.ts'

/** Says who writes it, so that whoever finds it knows whether anybody still does. */
export const newPart = (target: string): string =>
  `${target}.${randomUUID()}@${hostname()}.${process.pid}.part`

const PART = /\.([0-9a-f-]{36})@(.+)\.(\d+)\.part$/

/** What backups left in a folder whose processes were killed on this machine; nothing where it cannot be read. */
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

/** With what SQLite keeps beside it. One that cannot be removed harms nobody. */
export function removePart(part: string): void {
  for (const rest of [part, `${part}-journal`, `${part}-wal`, `${part}-shm`]) {
    try {
      rmSync(rest, { force: true })
    } catch {
      // A folder that may only be read.
    }
  }
}
