import { Option } from 'commander'
import type { Wall, WallMode } from 'echelon/runtime'

/** `--wall`, which every command takes. */
export const wallOption = (): Option =>
  new Option(
    '--wall <mode>',
    'operating-system sandbox for tools and scripts: auto (default) uses one where available, required refuses to run them without one, off disables it',
  ).choices(['auto', 'required', 'off'])

/** Applies the given mode to this process until `releaseWall`. Loads nothing when none is given. */
export async function holdWall({ wall }: { readonly wall?: WallMode }): Promise<void> {
  if (wall === undefined) return
  const { setWall } = await import('echelon/runtime')
  setWall(wall)
}

/** Returns to the default, so that the next command in this process has its own mode. */
export async function releaseWall({ wall }: { readonly wall?: WallMode }): Promise<void> {
  if (wall !== undefined) await holdWall({ wall: 'auto' })
}

/** One line about the sandbox for scripts on this machine. */
export const describeWall = (wall: Wall | undefined): string =>
  wall === undefined
    ? 'Scripts run without an operating-system sandbox here; only Node denies JavaScript access to files, processes and network.'
    : `Scripts run in a sandbox (${wall.name}): ${wall.holds}.`
