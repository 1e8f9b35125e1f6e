import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import satisfies from 'spdx-satisfies'
import { z } from 'zod'
import { LICENSE_POLICY, type LicenseException, type LicensePolicy } from './allowed-licenses.ts'
import { judged, type Check, type Finding, type Outcome } from './check.ts'
import { readLock, type LockedPackage } from './lock.ts'

/** The licenses of the packages that the lock file at `root` names. */
export const licenses = (root: string, policy: LicensePolicy = LICENSE_POLICY): Check => ({
  name: 'licenses',
  how: `package-lock.json, and node_modules where it names no license, with spdx-satisfies. Production (all that is installed with --omit=dev): ${policy.production.join(', ')}. Development also: ${policy.development.join(', ')}`,
  look: async () => {
    const packages = await readLock(root)
    return judgeLicenses(await Promise.all(packages.map((one) => completed(root, one))), policy)
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

/** With the license that the installed package names, if the lock file has none. */
async function completed(root: string, locked: LockedPackage): Promise<LockedPackage> {
  const manifest = join(root, locked.path, 'package.json')
  if (locked.license !== undefined || !existsSync(manifest)) return locked
  const { license, licenses = [] } = MANIFEST.parse(JSON.parse(await readFile(manifest, 'utf8')))
  const any = licenses.map(({ type }) => type).join(' OR ')
  return { ...locked, license: license ?? (any === '' ? undefined : any) }
}

export function judgeLicenses(packages: readonly LockedPackage[], policy: LicensePolicy): Outcome {
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
    [...excepted].map(([{ id, license }, reason]) => ({
      subject: id,
      reason: `${license ?? 'names no license'}: ${reason}`,
    })),
  )
}

const isMeant = ({ name, license }: LockedPackage, exception: LicenseException): boolean =>
  exception.name.test(name) && exception.license === license

function problemOf(locked: LockedPackage, policy: LicensePolicy): readonly Finding[] {
  const { id: subject, license, isDevelopment } = locked
  if (license === undefined) return [{ subject, problem: 'names no license' }]
  const allowed = isDevelopment ? [...policy.production, ...policy.development] : policy.production
  const list = isDevelopment ? 'development' : 'production'
  try {
    if (satisfies(license, allowed)) return []
    return [{ subject, problem: `${license} is not on the list for ${list}` }]
  } catch {
    return [{ subject, problem: `"${license}" is not an SPDX expression` }]
  }
}
