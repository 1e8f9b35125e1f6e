import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

/** Runs `program` as a test file, as `npm test` would, with coverage on. */
function tested(t: TestContext, program: string, timeoutMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-preload-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'a.test.mjs'), program)
  writeFileSync(join(folder, 'child.mjs'), `console.log(JSON.stringify(process.env))`)
  const preload = join(import.meta.dirname, 'preload.ts')
  const options = ['--import', preload, '--test', `--test-timeout=${timeoutMs}`]
  const { PATH = '' } = process.env
  const ran = spawnSync(process.execPath, [...options, '--test-reporter=tap', 'a.test.mjs'], {
    cwd: folder,
    env: { PATH, NODE_V8_COVERAGE: 'covered' },
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { ...ran, folder }
}

test('measures test files but none of their children, which share compiled modules', (t) => {
  const { status, stdout, folder } = tested(
    t,
    `import { execFileSync } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    const run = (options) => execFileSync(process.execPath, ['child.mjs'], options)
    writeFileSync('seen.json', run({}))
    writeFileSync('bare.json', run({ env: {} }))`,
    10_000,
  )
  assert.equal(status, 0, stdout)
  const seen = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))
  assert.match(seen.NODE_COMPILE_CACHE, /node_modules/)
  assert.equal(seen.NODE_V8_COVERAGE, undefined)
  assert.equal(readFileSync(join(folder, 'bare.json'), 'utf8'), '{}\n')
  const covered = readdirSync(join(folder, 'covered')).map((file) =>
    readFileSync(join(folder, 'covered', file), 'utf8'),
  )
  assert.ok(covered.some((one) => one.includes('a.test.mjs')))
  assert.ok(!covered.some((one) => one.includes('child.mjs"')))
})

for (const [loop, program] of Object.entries({
  waits: 'await new Promise((resolve) => setTimeout(resolve, 60_000))',
  'never yields': 'for (;;) {}',
})) {
  test(`fails a test that ${loop} for longer than the time limit`, (t) => {
    const body = `import test from 'node:test'\ntest('endless', async () => { ${program} })`
    const { status, stdout } = tested(t, body, 500)
    assert.ok(status !== null && status > 0, stdout)
    assert.match(stdout, /^not ok 1/m)
  })
}

test('fails tests that change the process and do not restore it', (t) => {
  const { status, stdout } = tested(
    t,
    `import test from 'node:test'
    test('passes', () => {
      process.chdir('/')
      process.env.LEFT_BEHIND = '1'
      process.on('SIGHUP', () => {})
    })`,
    10_000,
  )
  assert.equal(status, 1)
  assert.match(
    stdout,
    /a test changed and did not restore: working directory, listeners of SIGHUP, \$LEFT_BEHIND/,
  )
})
