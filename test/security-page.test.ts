import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const PAGE = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')

suite('SECURITY.md', () => {
  test('names only tests and pages that exist', () => {
    const named = [...PAGE.matchAll(/`((?:test|src)\/[\w./-]+)`|\]\(([\w./-]+)\)/g)].map(
      ([, path, page]) => path ?? page ?? '',
    )
    assert.ok(named.length > 20)
    assert.deepEqual(
      named.filter((path) => !existsSync(join(ROOT, path))),
      [],
    )
  })

  test('names every file of attacks', () => {
    const attacks = globSync('test/attacks/*.test.ts', { cwd: ROOT })
    assert.ok(attacks.length > 10)
    assert.deepEqual(
      attacks.filter((path) => !PAGE.includes(`\`${path}\``)),
      [],
    )
  })
})
