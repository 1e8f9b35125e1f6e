import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Why a test of a full disk is skipped. */
export const CANNOT = 'a small disk can be mounted by root alone'

/** A small separate disk that is soon full; undefined if none can be mounted. */
export function smallDisk(t: Pick<TestContext, 'after'>, kilobytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]
  const isMounted = spawnSync('mount', options).status === 0
  t.after(() => {
    if (isMounted) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return isMounted ? folder : undefined
}

/**
 * Fills the disk.
 * @param room bytes to leave free, in whole pages of 4 KB; default none
 */
export function fillUp(folder: string, room = 0): string {
  const file = join(folder, 'filler')
  for (let size = 1024 * 1024; size >= 1; size /= 2) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // Less may fit.
    }
  }
  if (room > 0) truncateSync(file, statSync(file).size - room)
  return file
}
