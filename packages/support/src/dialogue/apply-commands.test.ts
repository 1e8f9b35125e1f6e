import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'echelon/runtime'
import { CONFIRMATION, type Dialogue, NO_DIALOGUE, type OpenIntent } from '../turn/dialogue.ts'
import type { Command } from '../understand/command.ts'
import { applyCommands } from './apply-commands.ts'
import type { Applied } from './work.ts'

const opened = (intentId: string, param: string, params: JsonObject = {}): OpenIntent => ({
  intentId,
  param,
  params,
  failedAsks: 0,
  execution: { planId: `${intentId}-1`, intentId, steps: [], currentIndex: 0 },
})
const CANCEL = opened('cancel', CONFIRMATION, { order_id: 'O-1' })
const asked = (open: OpenIntent, more: Partial<Dialogue> = {}): Dialogue => ({
  ...NO_DIALOGUE,
  open,
  ...more,
})
const start = (intentId: string, params: JsonObject = {}): Command => ({
  type: 'start-task',
  intentId,
  params,
  confidence: 1,
})
const apply = (dialogue: Dialogue, commands: readonly Command[], text = ''): Applied =>
  applyCommands(dialogue, { text, commands, isReading: (id) => id === 'order_status' })
const done = ({ work }: Applied): readonly string[] =>
  work.map((one) => (one.do === 'say' ? one.saying.about : one.do))

test('a question in the middle is answered, and the open task waits beneath', () => {
  for (const command of [
    start('order_status'),
    { type: 'ask-knowledge', question: 'why?' },
  ] as const) {
    const { open, stack, canceled } = apply(asked(CANCEL), [command])
    assert.deepEqual([open, stack, canceled], [null, [CANCEL], []])
  }
})

test('thanks and other small talk leave the open task beneath', () => {
  const applied = apply(asked(CANCEL), [{ type: 'small-talk', kind: 'thanks' }])
  assert.deepEqual([applied.stack, done(applied)], [[CANCEL], ['small-talk']])
})

test('another task about another order interrupts a confirmation; about the same one it replaces it', () => {
  const other = apply(asked(CANCEL), [start('refund', { order_id: 'O-2' })])
  assert.deepEqual([other.stack, other.canceled], [[CANCEL], []])
  const same = apply(asked(CANCEL), [start('refund', { order_id: 'O-1' })])
  assert.deepEqual([same.stack, same.canceled], [[], [CANCEL]])
})

test('at most three tasks are kept beneath; the oldest is given up', () => {
  const stack = ['a', 'b', 'c'].map((id) => opened(id, CONFIRMATION))
  const { stack: kept, canceled } = apply(asked(CANCEL, { stack }), [start('order_status')])
  assert.deepEqual(
    [kept.map(({ intentId }) => intentId), canceled.map(({ intentId }) => intentId)],
    [['cancel', 'a', 'b'], ['c']],
  )
})

test('a confirmation needs a plain yes, whatever the reader says', () => {
  const yes: readonly Command[] = [{ type: 'confirm' }]
  assert.deepEqual(done(apply(asked(CANCEL), yes, 'yes')), ['confirmed'])
  const negated = apply(asked(CANCEL), yes, 'no wait, do not do that')
  assert.deepEqual([done(negated), negated.canceled], [['dropped'], [CANCEL]])
  const hesitant = apply(asked(CANCEL), yes, 'yes if it is free')
  assert.deepEqual([done(hesitant), hesitant.stack], [['hold'], [CANCEL]])
})

test('a suggested order is taken by a yes, and asked for after a no', () => {
  const open = { ...opened('cancel', 'order_id'), hints: { suggested: 'O-1' } }
  const [taken] = apply(asked(open), [{ type: 'confirm' }], 'yes').work
  assert.deepEqual(taken, { do: 'go-on', open, params: { order_id: 'O-1' } })
  const [again] = apply(asked(open), [{ type: 'deny' }], 'no').work
  assert.ok(again?.do === 'go-on' && again.open.hints === undefined)
})

test('a correction keeps what it does not change, and another order has its own items', () => {
  const open = opened('refund', CONFIRMATION, {
    order_id: 'O-1',
    amount: '5',
    item: 'Mug',
    reason: 'late',
  })
  const correct = (params: JsonObject): unknown =>
    apply(asked(open), [{ type: 'correct-slots', intentId: 'refund', params }]).work[0]
  assert.deepEqual(correct({ amount: '7' }), {
    do: 'begin',
    intentId: 'refund',
    params: { order_id: 'O-1', amount: '7', item: 'Mug', reason: 'late' },
  })
  assert.deepEqual(correct({ order_id: 'O-2' }), {
    do: 'begin',
    intentId: 'refund',
    params: { order_id: 'O-2', reason: 'late' },
  })
})

test('undo leaves what was not done yet, and asks about what was', () => {
  assert.deepEqual(done(apply(asked(CANCEL), [{ type: 'undo' }])), ['dropped'])
  assert.deepEqual(done(apply(NO_DIALOGUE, [{ type: 'undo' }])), ['undo'])
})

test('a request that waits for a person can be taken back while nothing is open', () => {
  const waiting = { ...NO_DIALOGUE, blocked: [CANCEL] }
  const { withdrawn } = apply(waiting, [{ type: 'cancel-task' }])
  assert.deepEqual(withdrawn, [CANCEL])
  const refund = opened('refund', CONFIRMATION)
  const both = apply(asked(refund, { blocked: [CANCEL] }), [{ type: 'cancel-task' }])
  assert.deepEqual([both.withdrawn, both.canceled], [[], [refund]])
})

test('going back takes the last value back and asks for it again', () => {
  const open = opened('change_address', CONFIRMATION, { order_id: 'O-1', address: '5 Main St' })
  const [again] = apply(asked(open), [{ type: 'go-back' }]).work
  assert.deepEqual(again, { do: 'begin', intentId: 'change_address', params: { order_id: 'O-1' } })
})

test('a request for a person drops all other tasks', () => {
  const { canceled, stack, work } = apply(asked(CANCEL, { stack: [opened('a', 'x')] }), [
    { type: 'ask-person', params: {} },
  ])
  assert.deepEqual(
    [canceled.length, stack, work],
    [2, [], [{ do: 'begin', intentId: 'hand_over', params: {} }]],
  )
})

test('a no where nothing is open changes nothing', () => {
  assert.deepEqual(done(apply(NO_DIALOGUE, [{ type: 'deny' }])), ['idle'])
})
