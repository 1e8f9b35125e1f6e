import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { TOOL_PACKAGES } from '../../src/tools/packages.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

const library: Manifest = JSON.parse(read('package.json'))
const command: Manifest = JSON.parse(read('cli/package.json'))
const peers = Object.entries(library.peerDependencies)

/** Every file of the library that is no test's, with its text. */
const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.test\.ts$|\/trial\//.test(file))
  .map((file) => ({ file, text: read(file) }))

/** Whether any of these files names a package or a path in it as a module. */
const isUsed = (name: string, files: typeof sources = sources): boolean =>
  files.some(({ text }) => new RegExp(`['\`]${name}['\`/]`).test(text))

/** `^15.2.0` as `15`, `^0.4.2` as `0.4`: what may change without breaking anything. */
const line = (range: string): string => /^\^?(0\.\d+|\d+)/.exec(range)?.[1] ?? range

test('every optional peer is optional, and comes with the command in a version that fits', () => {
  for (const [name, range] of peers) {
    assert.deepEqual(library.peerDependenciesMeta[name], { optional: true }, name)
    assert.equal(`^${command.dependencies[name]}`, range, name)
  }
  assert.equal(Object.keys(library.peerDependenciesMeta).length, peers.length)
})

test('no optional peer is without use', () => {
  const idle = peers.map(([name]) => name).filter((name) => !isUsed(name))
  assert.deepEqual(idle, [])
})

test('every command that a message names installs what the peers ask for', () => {
  const asked = sources.flatMap(({ text }) =>
    [...text.matchAll(/'((?:@[a-z-]+\/)?[a-z-]+)@([\d.]+)'/g)].map(([, name = '', version]) => [
      name,
      version,
    ]),
  )
  assert.ok(asked.length > peers.length)
  for (const [name = '', version] of asked) {
    assert.equal(version, line(library.peerDependencies[name] ?? 'no peer'), name)
  }
})

test('the command for the built-in tools names all that they and the artifacts folder import', () => {
  const named = TOOL_PACKAGES.split(' ').map((each) => each.slice(0, each.lastIndexOf('@')))
  // MCP servers and OpenAPI documents bring tools of others, by packages that are named where they are used.
  const files = sources.filter(({ file }) =>
    /^src\/(?:tools\/(?!mcp\/|openapi\/)|stores\/artifact-folder)/.test(file),
  )
  const needed = peers.map(([name]) => name).filter((name) => isUsed(name, files))
  assert.deepEqual(named.toSorted(), needed.toSorted())
})

test('what a worker loads is built, and known to the search for unused code', () => {
  const workers = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/workerModule\(import\.meta\.url, '(.+?)'\)/g)].map(([, path = '']) =>
      join(file, '..', path),
    ),
  )
  assert.ok(workers.length >= 5)
  for (const file of ['tsconfig.build.json', 'knip.json']) {
    const text = read(file)
    assert.deepEqual(
      workers.filter((worker) => !text.includes(`"${worker}"`)),
      [],
      file,
    )
  }
})

test('both packages carry the same licence and notice, and neither brings a Node', () => {
  for (const file of ['LICENSE', 'NOTICE']) assert.equal(read(`cli/${file}`), read(file))
  for (const { dependencies } of [library, command]) {
    assert.deepEqual(
      Object.keys(dependencies).filter((name) => /^node-(?!html-parser$)|toolchain/.test(name)),
      [],
    )
  }
})

test('the lock names no registry and holds the packages of every platform', () => {
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
    // npm leaves out what a registry does not have, and then no `npm ci` succeeds.
    for (const name of Object.keys(optionalDependencies)) assert.ok(locked.has(name), name)
  }
})

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
