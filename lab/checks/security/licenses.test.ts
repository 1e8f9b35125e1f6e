import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { LICENSE_POLICY, type LicensePolicy } from './allowed-licenses.ts'
import { judgeLicenses, licenses } from './licenses.ts'
import type { LockedPackage } from './lock.ts'
import { folder, lockOf } from './repository.ts'

const POLICY: LicensePolicy = {
  production: ['MIT', 'ISC'],
  development: ['MPL-2.0'],
  exceptions: [{ name: /^special$/, license: 'OFL-1.1', reason: 'a font' }],
}

const one = (license: string | undefined, about: Partial<LockedPackage> = {}): LockedPackage => ({
  path: 'node_modules/thing',
  id: 'thing@1.0.0',
  name: 'thing',
  license,
  runsInstallScript: false,
  isDevelopment: false,
  ...about,
})

const problems = (locked: LockedPackage): readonly string[] =>
  judgeLicenses([locked], POLICY).findings.map(({ problem }) => problem)

test('[DD-15] a forbidden license in the lock file fails, wherever the package lies', async (t) => {
  const root = folder(t, {
    'package-lock.json': lockOf({
      'node_modules/fine': { version: '1.0.0', license: 'MIT' },
      'node_modules/fine/node_modules/@deep/copyleft': { version: '2.0.0', license: 'GPL-3.0' },
      'node_modules/checker': { version: '3.0.0', license: 'GPL-3.0', dev: true },
      'node_modules/own': { resolved: 'own', link: true },
    }),
  })
  const { status, scanned, findings } = await licenses(root).look()
  assert.equal(status, 'fail')
  assert.deepEqual(scanned, { production: 2, development: 1 })
  assert.deepEqual(findings, [
    { subject: '@deep/copyleft@2.0.0', problem: 'GPL-3.0 is not on the list for production' },
    { subject: 'checker@3.0.0', problem: 'GPL-3.0 is not on the list for development' },
  ])
})

test('[DD-15] an unknown license fails, unless the installed package names one that is allowed', async (t) => {
  const root = folder(t, {
    'package-lock.json': lockOf({
      'node_modules/installed': { version: '1.0.0' },
      'node_modules/old': { version: '1.0.0' },
      'node_modules/old-copyleft': { version: '1.0.0' },
      'node_modules/silent': { version: '1.0.0' },
      'node_modules/absent': { version: '1.0.0' },
    }),
    'node_modules/installed/package.json': '{ "license": "MIT" }',
    'node_modules/old/package.json': '{ "licenses": [{ "type": "GPL-3.0" }, { "type": "MIT" }] }',
    'node_modules/old-copyleft/package.json': '{ "licenses": [{ "type": "GPL-3.0" }] }',
    'node_modules/silent/package.json': '{ "license": { "type": "MIT" } }',
  })
  const { status, findings } = await licenses(root).look()
  assert.equal(status, 'fail')
  assert.deepEqual(findings, [
    { subject: 'old-copyleft@1.0.0', problem: 'GPL-3.0 is not on the list for production' },
    { subject: 'silent@1.0.0', problem: 'names no license' },
    { subject: 'absent@1.0.0', problem: 'names no license' },
  ])
  assert.match(problems(one('SEE LICENSE IN LICENSE.txt')).join(), /not an SPDX expression/)
  assert.match(problems(one('UNLICENSED')).join(), /not an SPDX expression/)
})

test('one of several alternatives must be listed, or all licenses that apply together', () => {
  assert.deepEqual(problems(one('(GPL-3.0 OR MIT)')), [])
  assert.deepEqual(problems(one('MIT AND ISC')), [])
  assert.equal(problems(one('MIT AND GPL-3.0')).length, 1)
})

test('the wider list is for what only builds and checks', () => {
  assert.deepEqual(problems(one('MPL-2.0', { isDevelopment: true })), [])
  assert.equal(problems(one('MPL-2.0')).length, 1)
})

test('an exception holds for one package and one license, and is reported with its reason', () => {
  const special = one('OFL-1.1', { id: 'special@1.0.0', name: 'special' })
  assert.deepEqual(judgeLicenses([special], POLICY), {
    status: 'pass',
    scanned: { production: 1, development: 0 },
    findings: [],
    exceptions: [{ subject: 'special@1.0.0', reason: 'OFL-1.1: a font' }],
  })
  assert.equal(problems({ ...special, license: 'OFL-1.0' }).length, 1)
  assert.equal(problems(one('OFL-1.1')).length, 1)
})

test('every exception of this repository is still needed', async () => {
  const { exceptions = [] } = await licenses(join(import.meta.dirname, '../../..')).look()
  const idle = LICENSE_POLICY.exceptions.filter(
    ({ name }) => !exceptions.some(({ subject }) => name.test(subject.replace(/@[^@]*$/, ''))),
  )
  assert.deepEqual(idle, [])
})
