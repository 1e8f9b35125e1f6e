import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const BUILT = join(ROOT, 'studio/dist/index.html')

/** The sources of the page. */
const SOURCES = [
  'studio/src/**',
  'studio/{index.html,package.json,*.ts}',
  'packages/echelon/src/client.ts',
  'packages/echelon/src/client/*.ts',
  'package-lock.json',
]

/**
 * Builds the page of this clone's Studio if a source file changed; a few seconds. If it cannot be built, the server
 * works without it.
 */
export function studioPage(): void {
  if (isFresh()) return
  process.stderr.write('building the Studio …\n')
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', 'studio', '--logLevel', 'error'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  if (status === 0) return
  const why = error?.message ?? `${stdout}${stderr}`
  process.stderr.write(`the Studio cannot be built, and the server goes without it:\n${why}\n`)
}

/** Folders count too: their times change when a file is deleted. */
function isFresh(): boolean {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return false
  return globSync(SOURCES, { cwd: ROOT }).every(
    (file) => statSync(join(ROOT, file)).mtimeMs < built,
  )
}
