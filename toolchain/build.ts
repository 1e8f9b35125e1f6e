/**
 * Builds every package into its `dist`: declarations by the compiler, code as bundles. A package is
 * built after those that it depends on, whose declarations it reads. With `--if-stale`, as before a
 * package is packed, only if something has changed since the last build.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const folders = globSync('{packages/*,cli}/package.json', { cwd: ROOT }).map(dirname)
const manifests = new Map<string, Manifest>(
  folders.map((folder) => [
    folder,
    JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')),
  ]),
)

/** The folders of the packages, each after its dependencies. */
function inOrder(): readonly string[] {
  const built: string[] = []
  const names = new Set<string>()
  const isReady = ({ dependencies = {} }: Manifest): boolean =>
    [...manifests.values()].every(({ name }) => !(name in dependencies) || names.has(name))
  for (let left = folders; left.length > 0;) {
    const ready = left.filter((folder) => isReady(manifests.get(folder) ?? { name: folder }))
    if (ready.length === 0)
      throw new Error(`these packages depend on each other: ${left.join(', ')}`)
    for (const folder of ready) {
      built.push(folder)
      names.add(manifests.get(folder)?.name ?? folder)
    }
    left = left.filter((folder) => !built.includes(folder))
  }
  return built
}

/** Written after a build; newer than everything that the build read. */
const STAMP = join(ROOT, 'node_modules/.cache/echelon/built')

const SOURCES = [
  'studio/{src/**,index.html,package.json,*.ts}',
  '{packages/*,cli}/{src/**,package.json,tsconfig.build.json}',
  '{LICENSE,NOTICE,package-lock.json,rolldown.config.ts,tsconfig.json,toolchain/*}',
]

/** Whether the packages hold what the sources would build now. */
function isFresh(): boolean {
  if (!existsSync(STAMP)) return false
  if ([...folders, 'studio'].some((folder) => !existsSync(join(ROOT, folder, 'dist')))) return false
  const built = statSync(STAMP).mtimeMs
  // Folders count too: their times change when a file is deleted.
  return globSync(SOURCES, { cwd: ROOT }).every(
    (file) => statSync(join(ROOT, file)).mtimeMs < built,
  )
}

if (process.argv.includes('--if-stale') && isFresh()) process.exit()
rmSync(STAMP, { force: true })

const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name)

for (const folder of inOrder()) {
  rmSync(join(ROOT, folder, 'dist'), { recursive: true, force: true })
  for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(ROOT, file), join(ROOT, folder, file))
  const project = join(folder, 'tsconfig.build.json')
  // The command has no doors, and so no declarations.
  if (!existsSync(join(ROOT, project))) continue
  execFileSync(bin('tsc'), ['-p', project], { cwd: ROOT, stdio: 'inherit' })
}
copyFileSync(join(ROOT, 'LICENSE'), join(ROOT, 'studio/LICENSE'))
copyFileSync(join(ROOT, 'NOTICE'), join(ROOT, 'studio/NOTICE'))
execFileSync(bin('vite'), ['build', 'studio', '--logLevel', 'error'], {
  cwd: ROOT,
  stdio: 'inherit',
})
execFileSync(bin('rolldown'), ['-c', 'rolldown.config.ts', '--configLoader', 'native'], {
  cwd: ROOT,
  stdio: 'inherit',
})
mkdirSync(dirname(STAMP), { recursive: true })
writeFileSync(STAMP, '')
