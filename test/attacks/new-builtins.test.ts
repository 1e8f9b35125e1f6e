import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { suite, test } from 'node:test'
import * as reviewed from './escapes/reviewed-node.ts'
import { tried } from './tried.ts'

/** The names in a Node process without preloaded modules. */
const PROGRAM = `
  const module = require('node:module')
  const names = (of) => Object.getOwnPropertyNames(of)
  console.log(JSON.stringify({
    modules: module.builtinModules.map((name) => name.replace('node:', '')),
    process: [...names(process), ...names(Object.getPrototypeOf(process))],
    global: process.argv[1].split(' '),
    v8: names(require('node:v8')),
    os: names(require('node:os')),
    module: names(module),
    threads: names(require('node:worker_threads')),
  }))`

/** A file, since `--eval` adds names of its own. */
const GLOBALS = 'console.log(Object.getOwnPropertyNames(globalThis).join(" "))'

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, args, { encoding: 'utf8', env: {} }).trim()

const globals = run('--input-type=module', '--eval', GLOBALS)
const here: Readonly<Record<string, readonly string[]>> = JSON.parse(
  run('--eval', PROGRAM, globals),
)
const { HELD_BY_NODE, CLOSED_HERE, INSIDE } = reviewed
const REVIEWED: Readonly<Record<string, readonly string[]>> = {
  modules: [...HELD_BY_NODE, ...CLOSED_HERE, ...INSIDE],
  process: reviewed.OF_PROCESS,
  global: [...reviewed.OF_GLOBAL, ...HELD_BY_NODE, ...CLOSED_HERE, ...INSIDE],
  v8: reviewed.OF_V8,
  os: reviewed.OF_OS,
  module: reviewed.OF_MODULE,
  threads: reviewed.OF_THREADS,
}

suite('what Node brings was reviewed as a way out of scripts and isolates', () => {
  for (const [place, names] of Object.entries(REVIEWED)) {
    test(`there is nothing unreviewed in ${place}`, async (t) => {
      await tried(t, {
        cases: here[place] ?? [],
        named: (name) => name,
        hold: (name) => assert.ok(names.includes(name), 'is not in reviewed-node.ts; see there'),
        fast: Number.MAX_SAFE_INTEGER,
      })
    })
  }
})
