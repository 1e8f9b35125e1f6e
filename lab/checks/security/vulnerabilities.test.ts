import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { auditServer, type Manner } from './audit-server.ts'
import type { Outcome } from './check.ts'
import { folder, lockOf } from './repository.ts'
import { vulnerabilities } from './vulnerabilities.ts'

const MANIFEST = { name: 'tried', version: '1.0.0' }

interface Ways {
  readonly kind?: 'dependencies' | 'devDependencies'
  readonly options?: readonly string[]
  readonly limitMs?: number
}

/** The outcome for a repository with one dependency, at a registry of this manner. */
async function auditOf(t: TestContext, manner: Manner, ways: Ways = {}): Promise<Outcome> {
  const { kind = 'dependencies', options = [], limitMs = 60_000 } = ways
  const manifest = { ...MANIFEST, [kind]: { 'made-up-thing': '1.0.0' } }
  const thing = { version: '1.0.0', ...(kind === 'devDependencies' ? { dev: true } : {}) }
  const root = folder(t, {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': lockOf({ '': manifest, 'node_modules/made-up-thing': thing }),
  })
  const registry = ['--registry', await auditServer(t, manner), '--cache', `${root}/cache`]
  return await vulnerabilities(root, { options: [...registry, ...options], limitMs }).look()
}

test('[DD-15] a registry without advisories: pass', async (t) => {
  const { status, findings } = await auditOf(t, 'clean')
  assert.deepEqual([status, findings], ['pass', []])
})

test('[DD-15] a critical vulnerability: fail, with its title and address', async (t) => {
  const { status, findings } = await auditOf(t, 'critical')
  assert.equal(status, 'fail')
  assert.deepEqual(findings, [
    {
      subject: 'made-up-thing',
      problem: 'critical: It leaks, https://example.org/advisory',
    },
  ])
})

test('a low one is reported and passes; development dependencies are not audited', async (t) => {
  const low = await auditOf(t, 'low')
  assert.deepEqual([low.status, low.findings.length], ['pass', 1])
  const development = await auditOf(t, 'critical', { kind: 'devDependencies' })
  assert.deepEqual([development.status, development.findings], ['pass', []])
})

test('[DD-15] a registry that refuses to audit: unavailable, with the status, without its address', async (t) => {
  const { status, reason } = await auditOf(t, 'refusing')
  assert.deepEqual([status, reason], ['unavailable', 'the registry answers 405 to an audit'])
})

test('[DD-15] a registry that does not answer in time: unavailable', async (t) => {
  const { status, reason } = await auditOf(t, 'silent', { limitMs: 2000 })
  assert.deepEqual([status, reason], ['unavailable', 'the registry did not answer in time'])
})

test('an answer that is not a report: unavailable', async (t) => {
  assert.equal((await auditOf(t, 'garbled')).status, 'unavailable')
})

test('no server: unavailable, with the code', async (t) => {
  // Port 9 of this machine has no listener, and a later option wins over an earlier one.
  const nowhere = { options: ['--registry', 'http://127.0.0.1:9/'] }
  const { status, reason } = await auditOf(t, 'clean', nowhere)
  assert.deepEqual([status, reason], ['unavailable', 'npm audit brought no report (ECONNREFUSED)'])
})

test('npm configured as offline still asks the registry', async (t) => {
  const { status } = await auditOf(t, 'critical', { options: ['--offline'] })
  assert.equal(status, 'fail')
})
