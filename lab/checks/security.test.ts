import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { writtenMetrics } from '../../packages/echelon/src/evals.ts'
import type { CaseRuns } from '../../packages/echelon/src/evals/run-dataset.ts'
import { asked, evaluation, record } from '../../packages/echelon/src/evals/trial.ts'
import { auditServer, type Manner } from './security/audit-server.ts'
import { lockOf, repository } from './security/repository.ts'

const SECRET = ['ghp', 'q8Zr2Lw9Xt4Vb7Nc1Md6Kf3Hj5Gs0Pa8Ye2u'].join('_')
const REFUSED: CaseRuns = {
  asked: asked('h1', { category: 'hostile', expect: 'refused' }),
  runs: [record({ finish_reason: 'big_fail' })],
  latencyRuns: [],
}

const CLEAN: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'tried', version: '1.0.0' }),
  'package-lock.json': lockOf({
    'node_modules/made-up-thing': { version: '1.0.0', license: 'MIT' },
  }),
  'metrics.json': writtenMetrics(evaluation([REFUSED])),
}

interface Ended {
  readonly status: number | null
  readonly lines: readonly string[]
  readonly json: string
}

/** Runs the script in a repository with these files. */
async function scanned(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  manner: Manner,
): Promise<Ended> {
  const root = repository(t, files)
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const script = join(import.meta.dirname, 'security.ts')
  const settings = {
    npm_config_registry: await auditServer(t, manner),
    npm_config_cache: `${root}/.git/npm`,
  }
  const child = execFile(
    process.execPath,
    [script, 'left/here.json', '--metrics', 'metrics.json'],
    { cwd: root, env: { ...process.env, ...settings } },
    (_error, stdout) =>
      resolve({
        status: child.exitCode,
        lines: stdout.trim().split('\n'),
        json: readFileSync(join(root, 'left/here.json'), 'utf8').replaceAll(root, 'MACHINE'),
      }),
  )
  return await promise
}

test('[DD-15] no findings in a complete scan: five passes, status 0', async (t) => {
  const { status, lines, json } = await scanned(t, CLEAN, 'clean')
  assert.equal(status, 0)
  assert.equal(JSON.parse(json).result, 'pass')
  assert.equal(lines.length, 6)
  assert.deepEqual(new Set(lines.map((line) => line.slice(0, 4))), new Set(['pass']))
})

test('[DD-15] a planted secret: status 1, and neither the report nor the terminal has it', async (t) => {
  const { status, lines, json } = await scanned(t, { ...CLEAN, 'a.txt': SECRET }, 'clean')
  assert.equal(status, 1)
  assert.equal(JSON.parse(json).result, 'fail')
  assert.ok(!json.includes(SECRET) && !json.includes('MACHINE'))
  assert.ok(lines.some((line) => /^fail +secrets .*a\.txt:1:1/.test(line)))
  assert.ok(!lines.join('\n').includes(SECRET))
})

test('[DD-15] an unanswered audit is printed, prevents "pass", and exits with 0', async (t) => {
  const { status, lines, json } = await scanned(t, CLEAN, 'refusing')
  assert.equal(status, 0)
  assert.equal(JSON.parse(json).result, 'incomplete')
  assert.ok(lines.some((line) => /^unavailable +vulnerabilities +.*405/.test(line)))
})
