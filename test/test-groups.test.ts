import assert from 'node:assert/strict'
import test from 'node:test'
import { isCounted, testGroups } from './test-groups.ts'

const filesOf = (folder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${folder}/${index + 100}.test.ts`)

test('files of a folder and of its subfolders share a process, unit tests last', () => {
  const groups = testGroups([
    'packages/echelon/src/core/b.test.ts',
    'test/x.test.ts',
    'packages/echelon/src/core/a/a.test.ts',
  ])
  assert.deepEqual(groups, [
    ['test/x.test.ts'],
    ['packages/echelon/src/core/a/a.test.ts', 'packages/echelon/src/core/b.test.ts'],
  ])
})

test('a large folder is cut into parts of about the same size, without losing a file', () => {
  const files = filesOf('test/chat', 95)
  const groups = testGroups(files)
  assert.deepEqual(
    groups.map(({ length }) => length),
    [32, 32, 31],
  )
  assert.deepEqual(groups.flat(), files)
})

test('small folders share a process, and the largest group comes first', () => {
  const [small, smaller, large] = [
    filesOf('test/assist', 9),
    filesOf('test/cascade', 2),
    filesOf('test/chat', 40),
  ]
  assert.deepEqual(testGroups([...large, ...smaller, ...small]), [large, [...small, ...smaller]])
})

test('tests that wait come first, in small groups', () => {
  const [chat, fleet] = [filesOf('test/chat', 20), filesOf('test/fleet', 7)]
  assert.deepEqual(testGroups([...chat, ...fleet]), [fleet.slice(0, 4), fleet.slice(4), chat])
})

test('no process holds both files whose coverage is counted and others', () => {
  const [cli, chat] = [filesOf('cli/src/tune', 2), filesOf('test/chat', 3)]
  assert.deepEqual(testGroups([...chat, ...cli]), [cli, chat])
  assert.deepEqual([...cli, ...chat].map(isCounted), [false, false, true, true, true])
})
