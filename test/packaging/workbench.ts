import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export const ROOT: string = join(import.meta.dirname, '../..')

/** The public packages, by name. */
export const PACKAGES: readonly string[] = globSync('{packages/*,cli,studio}/package.json', {
  cwd: ROOT,
}).map((file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')).name)

/** How a program ended. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder outside the repository where packages are packed, installed and used. */
export class Workbench {
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'echelon-package-'))

  /** Builds and packs every public package; returns the paths of the archives by name. */
  async pack(): Promise<ReadonlyMap<string, string>> {
    await npm(ROOT, 'run', '--silent', 'build')
    const names = PACKAGES.flatMap((name) => ['--workspace', name])
    const options = ['--silent', '--ignore-scripts', '--pack-destination', this.#folder]
    await npm(ROOT, 'pack', ...options, ...names)
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    return new Map(
      PACKAGES.map((name) => [
        name,
        join(this.#folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`),
      ]),
    )
  }

  /** A new folder with only these packages. */
  async install(name: string, ...packages: readonly string[]): Promise<string> {
    const folder = join(this.#folder, name)
    mkdirSync(folder)
    await npm(folder, 'install', ...packages)
    return folder
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Runs a program to its end, with any exit status. */
export function run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const options = { cwd, env: usersEnvironment(), timeout: 300_000 }
  const child = execFile(program, args, options, (_error, stdout, stderr) =>
    resolve({ status: child.exitCode, stdout, stderr }),
  )
  return promise
}

/** Our environment, without what `npm run` and the test runner set for this repository and run. */
const usersEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)))

const OURS =
  /^(?:npm_package_.*|npm_lifecycle_.*|npm_config_local_prefix|INIT_CWD|NODE_TEST_CONTEXT|NODE_V8_COVERAGE)$/

/** Runs npm, which must succeed. */
export async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const main = process.env['npm_execpath']
  assert.ok(main !== undefined, 'start this with: npm run test:package')
  const { status, stdout, stderr } = await run(
    process.execPath,
    [main, ...args, '--prefer-offline', '--no-audit', '--no-fund'],
    cwd,
  )
  assert.equal(status, 0, `npm ${args.join(' ')}\n${stdout}${stderr}`)
}

/** The JSON output of a module, given as text, in a folder with these packages. */
export async function evaluate(folder: string, program: string): Promise<unknown> {
  const args = ['--input-type=module', '--eval', program]
  const { status, stdout, stderr } = await run(process.execPath, args, folder)
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

/** The installed packages, including indirect dependencies. */
export function packagesIn(folder: string): readonly string[] {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ''))
}

/** The number of installed packages and their size on disk. */
export function megabytesOf(folder: string): string {
  const files = globSync('node_modules/**/*', { cwd: folder, withFileTypes: true })
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return `${packagesIn(folder).length} packages, ${(bytes / 1e6).toFixed(1)} MB`
}

/** The files of a package, as paths with slashes. */
export const filesOf = (folder: string, name: string): readonly string[] =>
  globSync('**/*', { cwd: join(folder, 'node_modules', name), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) =>
      join(parentPath, file)
        .slice(join(folder, 'node_modules', name).length + 1)
        .replaceAll('\\', '/'),
    )

/** A Node on the PATH, not from a package, that is older than 24. */
export const olderNode = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file) && majorOf(file) < 24)

const majorOf = (node: string): number =>
  Number.parseInt(execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1), 10)
