import assert from 'node:assert/strict'
import test from 'node:test'
import { installScripts } from './install-scripts.ts'
import { folder, lockOf } from './repository.ts'

const LOCK = lockOf({
  'node_modules/quiet': { version: '1.0.0' },
  'node_modules/quiet/node_modules/builder': {
    version: '2.0.0',
    hasInstallScript: true,
    dev: true,
  },
})

test('[DD-15] an install script that is not listed fails, in development too', async (t) => {
  const root = folder(t, { 'package-lock.json': LOCK })
  const { status, scanned, findings } = await installScripts(root).look()
  assert.equal(status, 'fail')
  assert.deepEqual(scanned, { packages: 2, 'with a script': 1 })
  assert.deepEqual(
    findings.map(({ subject }) => subject),
    ['builder@2.0.0'],
  )
})

test('one that is listed passes, and is reported with its reason', async (t) => {
  const root = folder(t, { 'package-lock.json': LOCK })
  const outcome = await installScripts(root, { builder: 'compiles itself' }).look()
  assert.equal(outcome.status, 'pass')
  assert.deepEqual(outcome.exceptions, [{ subject: 'builder@2.0.0', reason: 'compiles itself' }])
})
