import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { judged, unavailable, type Check } from './check.ts'
import { installScripts } from './install-scripts.ts'
import { lineOf, resultOf, scan } from './report.ts'
import { folder, git, repository } from './repository.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const passing: Check = { name: 'fine', how: 'looking', look: async () => judged({ files: 2 }, []) }
const absent: Check = { name: 'away', how: 'asking', look: async () => unavailable('closed') }
const failing: Check = {
  name: 'bad',
  how: 'digging',
  look: async () =>
    judged({ files: 1 }, [
      { subject: 'a', problem: 'rot' },
      { subject: 'b', problem: 'rust' },
    ]),
}

test('[DD-15] one part that fails fails the scan, and one that is unavailable keeps it from passing', () => {
  const result = (...all: readonly ('pass' | 'fail' | 'unavailable')[]) =>
    resultOf(all.map((status) => ({ status })))
  assert.equal(result('pass', 'pass'), 'pass')
  assert.equal(result('pass', 'unavailable'), 'incomplete')
  assert.equal(result('unavailable', 'fail', 'pass'), 'fail')
})

test('[DD-15] the report names what was scanned, how, with which tools, when and at which commit', async (t) => {
  const root = repository(t, { 'a.txt': 'a\n' })
  git(root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'a')
  const report = await scan(root, [passing, absent, failing], NOW)
  assert.equal(report.result, 'fail')
  assert.equal(report.date, '2026-11-22T10:00:00.000Z')
  assert.equal(report.commit, git(root, 'rev-parse', 'HEAD').trim())
  assert.deepEqual(report.counts, { pass: 1, fail: 1, unavailable: 1, findings: 2 })
  assert.deepEqual(
    report.parts.map(({ name, how, status }) => [name, how, status]),
    [
      ['fine', 'looking', 'pass'],
      ['away', 'asking', 'unavailable'],
      ['bad', 'digging', 'fail'],
    ],
  )
  for (const version of Object.values(report.tools)) assert.match(version, /^\d+\.\d+\.\d+/)
  assert.deepEqual(report.parts.map(lineOf), [
    'pass        fine            2 files',
    'unavailable away            closed',
    'fail        bad             1 files · a: rot; and 1 more',
  ])
})

test('a check that throws has failed, and its message has no local path', async (t) => {
  const root = folder(t, {})
  const report = await scan(root, [installScripts(root)], NOW)
  assert.deepEqual([report.result, report.commit], ['fail', null])
  assert.match(JSON.stringify(report.parts), /broke off: .*package-lock\.json/)
  assert.ok(!JSON.stringify(report).includes(join(root)))
})
