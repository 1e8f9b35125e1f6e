import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { EchelonError } from '../../core/value/error.ts'
import { bwrap } from './bwrap.ts'
import { seatbelt } from './seatbelt.ts'
import { unshare } from './unshare.ts'
import type { Wall, WallMode } from './wall.ts'

/** Fixed paths, so that a project folder in PATH cannot supply the program. */
const CANDIDATES: readonly (readonly [(program: string) => Wall, ...string[]])[] = [
  [bwrap, '/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  [unshare, '/usr/bin/unshare', '/bin/unshare', '/run/current-system/sw/bin/unshare'],
  [seatbelt, '/usr/bin/sandbox-exec'],
]

/** The first wall on this machine with which Node runs; tested once. */
export function wallHere(): Promise<Wall | undefined> {
  found ??= firstThatWorks()
  return found
}

let found: Promise<Wall | undefined> | undefined

let standard: WallMode = 'auto'

/**
 * Sets for this process whether skill scripts and tool processes must run behind an operating
 * system wall. `required` starts none of them if the machine has no wall.
 */
export function setWall(mode: WallMode): void {
  standard = mode
}

/**
 * The wall for a new child process, if any.
 * @throws EchelonError INVALID_CONFIG when one is required and the machine has none
 */
export async function wallFor(mode: WallMode = standard): Promise<Wall | undefined> {
  if (mode === 'off') return undefined
  const wall = await wallHere()
  if (wall !== undefined || mode === 'auto') return wall
  throw new EchelonError('INVALID_CONFIG', NONE_HERE)
}

const NONE_HERE =
  'a wall is required, and none works here; install bubblewrap (Linux), or set the wall to auto'

async function firstThatWorks(): Promise<Wall | undefined> {
  for (const [make, ...programs] of CANDIDATES) {
    const program = programs.find((path) => existsSync(path))
    // In order of strength, the strongest first.
    // oxlint-disable-next-line no-await-in-loop
    if (program !== undefined && (await works(make(program)))) return make(program)
  }
  return undefined
}

/** A machine may have the tool but forbid what it needs, as many containers do. */
const MOST_MS = 5000

function works({ around }: Wall): Promise<boolean> {
  const inside = { reads: [], folder: dirname(process.execPath) }
  const [program, ...args] = around([process.execPath, '--version'], inside)
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: MOST_MS }, (error, stdout) =>
      resolve(error === null && stdout.trim() === process.version),
    )
  })
}
