import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import satisfies from 'spdx-satisfies'
import { z } from 'zod'
import { LICENCE_POLICY, type LicenceException, type LicencePolicy } from './allowed-licences.ts'
import { judged, type Check, type Finding, type Outcome } from './check.ts'
import { readLock, type LockedPackage } from './lock.ts'

/** The licences of the packages that the lock file at `root` names. */
export const licences = (root: string, policy: LicencePolicy = LICENCE_POLICY): Check => ({
  name: 'licences',
  how: `package-lock.json, and node_modules where it names no licence, with spdx-satisfies. Production (all that is installed with --omit=dev): ${policy.production.join(', ')}. Development also: ${policy.development.join(', ')}`,
  look: async () => {
    const packages = await readLock(root)
    return judgeLicences(await Promise.all(packages.map((one) => completed(root, one))), policy)
  },
})

const MANIFEST = z.object({
  license: z.string().optional().catch(undefined),
  // As old packages wrote it: any one of them.
  licenses: z
    .array(z.object({ type: z.string() }))
    .optional()
    .catch(undefined),
})

/** With the licence that the installed package names, if the lock file has none. */
async function completed(root: string, locked: LockedPackage): Promise<LockedPackage> {
  const manifest = join(root, locked.path, 'package.json')
  if (locked.licence !== undefined || !existsSync(manifest)) return locked
  const { license, licenses = [] } = MANIFEST.parse(JSON.parse(await readFile(manifest, 'utf8')))
  const any = licenses.map(({ type }) => type).join(' OR ')
  return { ...locked, licence: license ?? (any === '' ? undefined : any) }
}

export function judgeLicences(packages: readonly LockedPackage[], policy: LicencePolicy): Outcome {
  const development = packages.filter(({ isDevelopment }) => isDevelopment).length
  const excepted = new Map(
    packages.flatMap((one) => {
      const rule = policy.exceptions.find((rule) => isMeant(one, rule))
      return rule === undefined ? [] : [[one, rule.reason] as const]
    }),
  )
  return judged(
    { production: packages.length - development, development },
    packages.filter((one) => !excepted.has(one)).flatMap((one) => problemOf(one, policy)),
    [...excepted].map(([{ id, licence }, reason]) => ({
      subject: id,
      reason: `${licence ?? 'names no licence'}: ${reason}`,
    })),
  )
}

const isMeant = ({ name, licence }: LockedPackage, exception: LicenceException): boolean =>
  exception.name.test(name) && exception.licence === licence

function problemOf(locked: LockedPackage, policy: LicencePolicy): readonly Finding[] {
  const { id: subject, licence, isDevelopment } = locked
  if (licence === undefined) return [{ subject, problem: 'names no licence' }]
  const allowed = isDevelopment ? [...policy.production, ...policy.development] : policy.production
  const list = isDevelopment ? 'development' : 'production'
  try {
    if (satisfies(licence, allowed)) return []
    return [{ subject, problem: `${licence} is not on the list for ${list}` }]
  } catch {
    return [{ subject, problem: `"${licence}" is not an SPDX expression` }]
  }
}
