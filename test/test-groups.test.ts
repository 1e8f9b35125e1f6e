import assert from 'node:assert/strict'
import test from 'node:test'
import { testGroups } from './test-groups.ts'

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
  const files = Array.from({ length: 35 }, (_, index) => `test/chat/${index + 100}.test.ts`)
  const groups = testGroups(files)
  assert.deepEqual(
    groups.map(({ length }) => length),
    [12, 12, 11],
  )
  assert.deepEqual(groups.flat(), files)
})
