import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { folderFor, plainEnvironment } from '../../cli/src/testing/run-command.ts'

const ROOT = join(import.meta.dirname, '../..')
const COUNTER = join(ROOT, 'lab/benchmarks/start/loaded-modules.ts')

test('decide loads nothing that only other commands and options need', (t) => {
  const folder = folderFor(t)
  const counted = join(folder, 'modules.json')
  const main = join(ROOT, 'cli/src/main.js')
  const args = ['--conditions=echelon-source', '--import', COUNTER, main, 'decide', '15 * 23']
  const env = plainEnvironment({ LOADED_MODULES: counted })
  assert.match(
    execFileSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' }),
    /^345$/m,
  )

  const loaded: readonly string[] = JSON.parse(readFileSync(counted, 'utf8'))
  assert.ok(loaded.some((url) => url.endsWith('/src/decide.ts')))
  const others =
    /packages\/(?:adapters|assist|knowledge|mcp|support)\/|echelon\/src\/(?:agents\/chat|middleware|replay|testing|providers\/tape)|tools\/src\/openapi\/document|telemetry\/src\/otel\/(?!open-telemetry)|opentelemetry|string-width|spinner/
  assert.deepEqual(
    loaded.filter((url) => others.test(url)),
    [],
  )
})

test('npm start loads at most 200 modules to decide, those of packages included', (t) => {
  const folder = folderFor(t)
  const counted = join(folder, 'modules.json')
  const env = plainEnvironment({ LOADED_MODULES: counted })
  const args = [SOURCES, '--import', COUNTER, join(ROOT, START), 'decide', '15 * 23']
  assert.match(
    execFileSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' }),
    /^345$/m,
  )
  const loaded: readonly string[] = JSON.parse(readFileSync(counted, 'utf8'))
  assert.ok(loaded.length <= 200, `${loaded.length} modules`)
})

test('a clone runs a changed source file at once, with and without a bundler', (t) => {
  const clone = cloneFor(t)
  const help = (): string =>
    execFileSync(process.execPath, [SOURCES, START, 'decide', '--help'], {
      cwd: clone,
      env: plainEnvironment(),
      encoding: 'utf8',
    })
  const file = join(clone, 'cli/src/commands/decide.ts')
  const edit = (from: string, to: string): void =>
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
  assert.match(help(), /run one task and show every step/)
  edit('run one task and show every step', 'run the first change')
  assert.match(help(), /run the first change/)
  rmSync(join(clone, 'node_modules/rolldown'))
  assert.match(help(), /run the first change/)
  edit('run the first change', 'run the second change')
  assert.match(help(), /run the second change/)
})

const SOURCES = '--conditions=echelon-source'
const START = 'toolchain/start.js'

/** A clone as `npm ci` leaves it: the packages of others are links to those of this repository. */
function cloneFor(t: TestContext): string {
  const clone = folderFor(t)
  for (const part of ['cli', 'packages', 'toolchain', 'package.json', 'package-lock.json']) {
    const filter = (path: string): boolean => !path.endsWith('/dist')
    cpSync(join(ROOT, part), join(clone, part), { recursive: true, filter })
  }
  const workspaces = new Map(
    ['cli', ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)].map(
      (folder) => [nameIn(join(ROOT, folder)), folder],
    ),
  )
  const others = readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => !name.startsWith('.') && name !== '@echelon' && !workspaces.has(name),
  )
  const link = (name: string, target: string): void => {
    const path = join(clone, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  }
  for (const name of others) link(name, join(ROOT, 'node_modules', name))
  for (const [name, folder] of workspaces) link(name, join(clone, folder))
  return clone
}

function nameIn(folder: string): string {
  const manifest: { readonly name: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  return manifest.name
}
