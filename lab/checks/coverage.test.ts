import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { folder } from './security/repository.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs c8 with this repository's settings over a library of ten functions; `called` are called. */
function covered(t: TestContext, called: number): { status: number | null; xml: boolean } {
  const names = Array.from({ length: 10 }, (_, index) => `f${index}`)
  const root = folder(t, {
    '.c8rc.json': readFileSync(join(ROOT, '.c8rc.json'), 'utf8'),
    'package.json': '{ "type": "module" }',
    'packages/one/src/library.ts': names
      .map((name) => `export function ${name}() {\n  return 1\n}\n`)
      .join(''),
    'packages/one/src/untried.d.ts': '',
    // The spawned command is not measured, so it does not affect coverage.
    'cli/src/main.ts': 'export function untried() {\n  return 1\n}\n',
    'try.ts': `import * as library from './packages/one/src/library.ts'\n${names
      .slice(0, called)
      .map((name) => `library.${name}()\n`)
      .join('')}`,
  })
  const c8 = join(ROOT, 'node_modules/c8/bin/c8.js')
  const { status } = spawnSync(process.execPath, [c8, process.execPath, 'try.ts'], { cwd: root })
  return { status, xml: existsSync(join(root, 'coverage/coverage.xml')) }
}

test('[DD-15] coverage writes coverage/coverage.xml, and fails below the threshold', (t) => {
  assert.deepEqual(covered(t, 10), { status: 0, xml: true })
  assert.deepEqual(covered(t, 5), { status: 1, xml: true })
})
