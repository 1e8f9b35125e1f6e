import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A third-party package in the lock file, for any platform. */
export interface LockedPackage {
  /** Where it is installed, from the root: `node_modules/a/node_modules/b`. */
  readonly path: string
  /** `name@version`. */
  readonly id: string
  readonly name: string
  readonly license: string | undefined
  readonly runsInstallScript: boolean
  /** Whether `npm ci --omit=dev` leaves it out. */
  readonly isDevelopment: boolean
}

const LOCK = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional().catch(undefined),
      hasInstallScript: z.boolean().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
})

const FOLDER = 'node_modules/'

/** The packages of `package-lock.json`, without this repository's own. */
export async function readLock(root: string): Promise<readonly LockedPackage[]> {
  const { packages } = LOCK.parse(
    JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')),
  )
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes(FOLDER) && link !== true)
    .map(([path, { name = lastName(path), version = '?', ...entry }]) => ({
      path,
      id: `${name}@${version}`,
      name,
      license: entry.license,
      runsInstallScript: entry.hasInstallScript === true,
      isDevelopment: entry.dev === true,
    }))
}

const lastName = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
