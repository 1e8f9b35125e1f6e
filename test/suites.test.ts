import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { filesOfSuite } from './suites.ts'

test('each test file is in one suite', () => {
  const [all, fleet] = [filesOfSuite('all', true), filesOfSuite('fleet', true)]
  const files = globSync('{packages/*/src,cli/src,studio/src,test,lab}/**/*.test.ts', {
    exclude: ['**/node_modules/**'],
  })
  assert.deepEqual([...all, ...fleet].toSorted(), files.toSorted())
  assert.ok(fleet.length > 20)
})

test('npm test runs a share of the files of long scenarios, and all others', () => {
  const [all, some] = [filesOfSuite('all', true), filesOfSuite('all', false)]
  const isLong = (file: string): boolean =>
    /^(lab\/benchmarks|test\/(attacks|crash|fuzz|verification))\//.test(file)
  assert.deepEqual(
    some.filter((file) => !isLong(file)),
    all.filter((file) => !isLong(file)),
  )
  const attacks = (files: readonly string[]): number =>
    files.filter((file) => file.startsWith('test/attacks/')).length
  assert.equal(attacks(some), Math.ceil(attacks(all) / 2))
})

test('the tests on PostgreSQL servers are a suite, of which npm test runs three files', () => {
  const ofServers = filesOfSuite('all').filter((file) => file.startsWith('test/postgres/'))
  assert.deepEqual(ofServers, [
    'test/postgres/copy.test.ts',
    'test/postgres/knowledge-contract.test.ts',
    'test/postgres/store-contract.test.ts',
  ])
  assert.throws(() => filesOfSuite('none'), /no suite is called none/)
})
