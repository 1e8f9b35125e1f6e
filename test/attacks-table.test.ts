import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'

const TRIED = new URL('attacks/tried.ts', import.meta.url).href
const TABLE = join(import.meta.dirname, 'attacks/table.ts')

/** @returns the output and exit status of a run of the given attack suite */
function ran(body: string): { readonly printed: string; readonly status: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'attacks-table-'))
  const file = join(folder, 'it.test.ts')
  const imports = [
    "import assert from 'node:assert/strict'",
    "import { suite, test } from 'node:test'",
    `import { tried } from '${TRIED}'`,
  ]
  writeFileSync(file, [...imports, body].join('\n'))
  try {
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--test', `--test-reporter=${TABLE}`, file],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    )
    return { printed: stdout, status }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

suite('the table of attacks', () => {
  test('counts the cases of each test, and names those that got through', () => {
    const { printed, status } = ran(`
      const cases = Array.from({ length: 100 }, (_, index) => index)
      const named = String
      // One in five is tried, so that one of five that fail is.
      const hold = (n) => assert.ok(n < 5 || n >= 10)
      suite('small numbers', () => {
        test('hold', (t) => tried(t, { cases, named, hold, fast: 20 }))
        test('one more', () => assert.ok(true))
      })`)
    assert.match(
      printed,
      /small numbers: hold\n[^]*[5-9]: The expression evaluated to a falsy value/,
    )
    assert.match(printed, /^small numbers +21 +1$/m)
    assert.match(printed, /\n20 passed, 1 failed\n$/)
    assert.equal(status, 1)
  })

  test('fails for an attack without a case, and for a file that cannot be run', () => {
    const empty = ran(`
      suite('nothing', () => {
        test('tried', (t) => tried(t, { cases: [], named: String, hold: () => {} }))
      })`)
    assert.match(empty.printed, /without a case proves nothing/)
    assert.equal(empty.status, 1)
    const broken = ran("throw new Error('broken')")
    assert.match(broken.printed, /0 passed, 1 failed/)
    assert.equal(broken.status, 1)
  })
})
