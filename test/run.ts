import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { spread } from './share.ts'
import { filesOfSuite } from './suites.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { isCounted, testGroups } from './test-groups.ts'

/**
 * Runs test files: `run.ts [OPTION…] [FILE, FOLDER or PATTERN…]`, with options of `node --test`. Without a file the
 * suite `all` runs, or that of `--suite=NAME`. `--files=N` runs so many of the files, drawn by the seed.
 */

/** Milliseconds per test, so that one that hangs fails; the slowest needs a tenth of it. */
const LIMIT_MS = 600_000

const OWN_OPTION = /^--(suite|files)=(.+)$/
const given = process.argv.slice(2)
const own = new Map(
  given.flatMap((word) => {
    const [, name = '', value = ''] = OWN_OPTION.exec(word) ?? []
    return name === '' ? [] : [[name, value] as const]
  }),
)
const options = given.filter((word) => word.startsWith('-') && !OWN_OPTION.test(word))
const patterns = given.filter((word) => !word.startsWith('-'))
const testsIn = (path: string): string =>
  existsSync(path) && statSync(path).isDirectory() ? `${path}/**/*.test.ts` : path
const found =
  patterns.length > 0
    ? globSync(patterns.map(testsIn), { exclude: ['**/node_modules/**'] })
    : filesOfSuite(own.get('suite') ?? 'all')
const files = spread(found, Number(own.get('files') ?? Infinity))
if (files.length === 0) {
  process.stderr.write(`no test file matches ${patterns.join(' ')}\n`)
  process.exit(1)
}

const hasReporter = options.some((word) => word.startsWith('--test-reporter'))
const folder = mkdtempSync(join(temporaryFolder(), 'echelon-tests-'))
// As the system's own folder: some tests act as another user.
chmodSync(folder, 0o1777)
try {
  const { status } = spawnSync(
    process.execPath,
    [
      '--conditions=echelon-source',
      '--import=./test/preload.ts',
      // Tests drop what they made soon: with room for it, collecting garbage takes a sixth less processor time.
      '--max-semi-space-size=64',
      '--test',
      `--test-timeout=${LIMIT_MS}`,
      // Many tests wait for a child process or for time to pass: more processes keep the cores busy.
      `--test-concurrency=${availableParallelism() + 3}`,
      ...(hasReporter ? [] : ['--test-reporter=./test/report.ts']),
      ...options,
      ...testGroups(files).map(entryFor),
    ],
    // Files that tests leave in it are removed at the end.
    { stdio: 'inherit', env: { ...process.env, TMPDIR: folder } },
  )
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Writes the module that a process runs, which imports the files of its group. The runner sorts by name. */
function entryFor(group: readonly string[], index: number): string {
  const own = group.some(isCounted) ? [] : [join(import.meta.dirname, 'without-coverage.ts')]
  const imports = [...own, ...group].map(
    (file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}`,
  )
  const entry = join(folder, `${String(index).padStart(3, '0')}.mjs`)
  writeFileSync(entry, imports.join('\n'))
  return entry
}
