import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import test from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
}

const folders = globSync('{packages/*,cli}', { cwd: ROOT })
const manifestOf = (folder: string): Manifest => JSON.parse(read(`${folder}/package.json`))
const library = manifestOf('packages/echelon')
const command = manifestOf('cli')
const peers = Object.entries(library.peerDependencies ?? {})

/** Every file of a package that is not a test, with its text. */
const sourcesOf = (folder: string) =>
  globSync(`${folder}/src/**/*.ts`, { cwd: ROOT })
    .filter((file) => !/\.test\.ts$|\/trial\//.test(file))
    .map((file) => ({ file, text: read(file) }))

const sources = sourcesOf('packages/echelon')

/** `^15.2.0` as `15`, `^0.4.2` as `0.4`: the version within which changes are compatible. */
const line = (range: string): string => /^\^?(0\.\d+|\d+)/.exec(range)?.[1] ?? range

test('the command brings every optional peer in a matching version', () => {
  for (const [name, range] of peers) {
    assert.deepEqual(library.peerDependenciesMeta?.[name], { optional: true }, name)
    assert.equal(command.dependencies?.[name], range.replace('^', ''), name)
  }
  assert.equal(Object.keys(library.peerDependenciesMeta ?? {}).length, peers.length)
})

test('only the library has optional peers, vendors and packages that its defaults use, and the store its database client', () => {
  for (const folder of folders.filter((each) => each !== 'packages/echelon')) {
    const own = folder === 'packages/store' ? ['pg'] : []
    assert.deepEqual(Object.keys(manifestOf(folder).peerDependencies ?? {}), own, folder)
  }
  const others = peers.map(([name]) => name).filter((name) => !name.startsWith('@ai-sdk/'))
  assert.deepEqual(others, ['@echelon/offline', '@echelon/tools'])
})

test('every optional peer is used', () => {
  const isUsed = (name: string): boolean =>
    sources.some(({ text }) => new RegExp(`['\`]${name}['\`/]`).test(text))
  assert.deepEqual(
    peers.map(([name]) => name).filter((name) => !isUsed(name)),
    [],
  )
})

test('every command in a message installs what the peers require', () => {
  const asked = sources.flatMap(({ text }) =>
    [...text.matchAll(/'(@ai-sdk\/[a-z-]+)@([\d.]+)'/g)].map(([, name = '', version]) => [
      name,
      version,
    ]),
  )
  assert.ok(asked.length >= 4)
  for (const [name = '', version] of asked) {
    assert.equal(version, line(library.peerDependencies?.[name] ?? 'no peer'), name)
  }
})

test('all packages have one version and one license, and none contains Node', () => {
  for (const folder of folders) {
    const { name, version, license, dependencies = {} } = manifestOf(folder)
    assert.equal(version, library.version, name)
    assert.equal(license, 'MIT', name)
    for (const [needed, range] of Object.entries(dependencies)) {
      if (/^@?echelon/.test(needed)) assert.equal(range, library.version, `${name} → ${needed}`)
      assert.doesNotMatch(needed, /^node-(?!html-parser$)|toolchain/)
    }
  }
})

test('the lock file names no registry and has the packages of every platform', () => {
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    read('package-lock.json'),
  )
  const locked = new Set(
    Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)),
  )
  for (const [path, { resolved = '', optionalDependencies = {} }] of Object.entries(
    lock.packages,
  )) {
    assert.doesNotMatch(resolved, /:/, path)
    // npm leaves out packages that a registry lacks, and then `npm ci` fails.
    for (const name of Object.keys(optionalDependencies)) assert.ok(locked.has(name), name)
  }
})

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

test('the search for unused code knows the modules of workers', () => {
  const known = read('knip.json')
  for (const folder of folders) {
    for (const { file, text } of sourcesOf(folder)) {
      for (const [, path = ''] of text.matchAll(/workerModule\(import\.meta\.url, '(.+?)'\)/g)) {
        const worker = relative(folder, join(file, '..', path))
        assert.ok(known.includes(`"${worker}"`), `${folder}: ${worker}`)
      }
    }
  }
})
