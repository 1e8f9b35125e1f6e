import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunEvent } from 'echelon/runtime'
import { ModelTally } from './model-tally.ts'

const one = { input: 10, output: 5 }

const answered = (model: string, cost: number | null, path = ''): RunEvent => ({
  type: 'step-end',
  path,
  seq: 0,
  seen: { type: 'generated', text: 'x', calls: [], finish: 'stop', model, usage: one, cost },
})

test('each model of a turn has its own calls, tokens and cost, and the one that answered is last', () => {
  const tally = new ModelTally()
  for (const event of [
    answered('a', 1),
    answered('b', 2),
    answered('a', 1),
    answered('c', 4, '1.'),
  ])
    tally.hear(event)
  const usage = { input: 40, output: 20 }
  assert.deepEqual(tally.rungs({ usage, cost: 8 }, undefined, 'x'), [
    { model: 'b', calls: 1, ...one, cost: 2 },
    { model: 'c', calls: 1, ...one, cost: 4 },
    { model: 'a', calls: 2, input: 20, output: 10, cost: 2 },
  ])
  assert.equal(tally.rungs({ usage, cost: 8 }, 'b', 'x').at(-1)?.model, 'b')
})

test('what no event tells is counted with the model that answered', () => {
  const tally = new ModelTally()
  const whole = { usage: { input: 30, output: 20 }, cost: 3 }
  assert.deepEqual(tally.rungs(whole, undefined, 'x'), [
    { model: 'x', calls: 1, input: 30, output: 20, cost: 3 },
  ])
  tally.hear(answered('a', 1))
  assert.deepEqual(tally.rungs(whole, 'a', 'x'), [
    { model: 'a', calls: 1, input: 30, output: 20, cost: 3 },
  ])
  tally.hear(answered('b', null))
  assert.equal(tally.rungs({ ...whole, cost: null }, 'a', 'x').at(-1)?.cost, null)
})
