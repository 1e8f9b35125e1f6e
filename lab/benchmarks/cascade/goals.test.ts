import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Goals } from './goals.ts'

test('the table of goals is Markdown with its date, and names a goal that is missed', () => {
  const goals = new Goals()
  goals.add({ data: 'a', ours: '.8', goal: '≥ .7', reached: true, anchors: 'b .6' })
  assert.ok(goals.areReached)
  goals.add({ data: 'c', ours: '.5', goal: '≥ .7', reached: false, anchors: '' })
  assert.ok(!goals.areReached)
  const lines = goals.table('2026-11-27').split('\n')
  assert.match(lines[0] ?? '', /^Measured 2026-11-27 /)
  assert.deepEqual(lines.slice(4), ['| a | .8 | ≥ .7 | yes | b .6 |', '| c | .5 | ≥ .7 | NO |  |'])
})
