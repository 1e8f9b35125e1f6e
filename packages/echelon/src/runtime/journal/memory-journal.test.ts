import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../../core/journal/journal.ts'
import { MemoryJournal } from './memory-journal.ts'

const entry = (at: number): Entry => ({ type: 'resumed', charged: {}, at })

test('returns the entries of each run in the order of their appends', () => {
  const journal = new MemoryJournal()
  journal.append('a', [entry(1), entry(2)])
  journal.append('b', [entry(9)])
  journal.append('a', [entry(3)])
  journal.append('a', [])
  assert.deepEqual(journal.read('a'), [entry(1), entry(2), entry(3)])
  assert.deepEqual(journal.read('b'), [entry(9)])
  assert.deepEqual(journal.read('c'), [])
  assert.deepEqual(journal.read('constructor'), [])
})

test('copies the entries that it receives and returns', () => {
  const journal = new MemoryJournal()
  const given = [entry(1)]
  journal.append('a', given)
  given.push(entry(2))
  const before = journal.read('a')
  journal.append('a', [entry(3)])
  assert.deepEqual(before, [entry(1)])
  assert.deepEqual(journal.read('a'), [entry(1), entry(3)])
})
