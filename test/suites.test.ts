import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { DRAWN, filesOfSuite } from './suites.ts'

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
    DRAWN.some(({ of }) => of.some((place) => file.startsWith(place)))
  assert.deepEqual(
    some.filter((file) => !isLong(file)),
    all.filter((file) => !isLong(file)),
  )
  for (const { of, oneIn } of DRAWN) {
    const count = (files: readonly string[]): number =>
      files.filter((file) => of.some((place) => file.startsWith(place))).length
    assert.ok(count(all) >= oneIn, `${of.join(', ')}: ${count(all)} files`)
    assert.equal(count(some), Math.ceil(count(all) / oneIn))
  }
})

test('npm test runs most tests of the command, which start no process', () => {
  const ofCommand = (isWhole: boolean): number =>
    filesOfSuite('all', isWhole).filter((file) => file.startsWith('cli/')).length
  assert.ok(ofCommand(false) > 0.85 * ofCommand(true))
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
