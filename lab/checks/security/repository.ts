import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** A new git repository with these files, all of them added; gone when the test ends. */
export function repository(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = folder(t, files)
  git(root, 'init', '--quiet')
  git(root, 'add', '--all')
  return root
}

/** A new folder with these files; gone when the test ends. */
export function folder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'echelon-checks-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

export const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })

/** A lock file with these entries, by path. */
export const lockOf = (packages: Readonly<Record<string, object>>): string =>
  JSON.stringify({
    name: 'tried',
    lockfileVersion: 3,
    packages: { '': { name: 'tried' }, ...packages },
  })
