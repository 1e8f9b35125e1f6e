import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intent } from '../wording/in-tests.ts'
import { nextAction, NO_PROGRESS, type TaskMessage } from './next-action.ts'

const BOOK = intent({ id: 'book', requiredParams: ['day', 'time'], params: {}, confirm: true })
const known = (values: Readonly<Record<string, string>>): TaskMessage['known'] =>
  new Map(Object.entries(values).map(([name, value]) => [name, [value]]))
const message = (
  values: Readonly<Record<string, string>>,
  more: Partial<TaskMessage> = {},
): TaskMessage => ({
  known: known(values),
  informed: new Set(),
  affirms: false,
  requests: false,
  wantsOthers: false,
  ...more,
})
const SETTLED = known({ day: 'May 1', time: '9:45' })

test('what is missing is asked for, what is complete is confirmed, and a yes calls', () => {
  assert.deepEqual(nextAction(BOOK, message({ day: 'May 1' })), { type: 'ask', params: ['time'] })
  const whole = { day: 'May 1', time: '9:45' }
  assert.equal(nextAction(BOOK, message(whole)).type, 'confirm')
  const confirming = { ...NO_PROGRESS, settled: SETTLED, isConfirming: true }
  assert.equal(nextAction(BOOK, message(whole, { affirms: true }), confirming).type, 'call')
})

test('a task that was called rests until a value changes', () => {
  const called = { ...NO_PROGRESS, settled: SETTLED }
  const whole = { day: 'May 1', time: '9:45' }
  assert.equal(nextAction(BOOK, message(whole), called).type, 'other')
  const later = message({ ...whole, time: '10:00' }, { informed: new Set(['time']) })
  assert.equal(nextAction(BOOK, later, called).type, 'confirm')
})

test('accepting what was offered after a failure calls at once', () => {
  const failed = {
    ...NO_PROGRESS,
    settled: SETTLED,
    hasFailed: true,
    offered: known({ time: '9:40' }),
  }
  const accepted = message({ day: 'May 1', time: '9:40' }, { affirms: true })
  assert.equal(nextAction(BOOK, accepted, failed).type, 'call')
  assert.equal(nextAction(BOOK, accepted, { ...failed, hasFailed: false }).type, 'other')
})

test('asking for others searches again once all results were offered', () => {
  const find = intent({ id: 'find', requiredParams: ['day'], params: {} })
  const others = message({ day: 'May 1' }, { wantsOthers: true })
  const settled = known({ day: 'May 1' })
  assert.equal(nextAction(find, others, { ...NO_PROGRESS, settled, left: 1 }).type, 'other')
  assert.equal(nextAction(find, others, { ...NO_PROGRESS, settled, left: 0 }).type, 'call')
})
