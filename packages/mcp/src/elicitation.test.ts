import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../echelon/src/core/value/json.ts'
import { type ElicitingCall, elicit } from './elicitation.ts'

/** A call whose user gives these replies in turn. */
function call(
  key: string,
  ...replies: Json[]
): ElicitingCall & { readonly asked: readonly string[] } {
  const asked: string[] = []
  const ask = (question: string): Promise<Json> => {
    asked.push(question)
    return Promise.resolve(replies.shift() ?? null)
  }
  return { context: { key, ask }, questions: 0, asked }
}

const form = (): Parameters<typeof elicit>[1] => ({
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
})

test('with several calls of one run, the last one asks', async () => {
  const [first, last] = [call('run:1:0'), call('run:1:1', { name: 'Ada' })]
  const result = await elicit('web', form(), [first, last])
  assert.deepEqual(result, { action: 'accept', content: { name: 'Ada' } })
  assert.deepEqual(first.asked, [])
  assert.deepEqual(last.asked, ['web asks: Your name?'])
})

test('with calls of several runs, the question is canceled, since it might reach the wrong person', async () => {
  const [one, other] = [call('a:1:0', { name: 'Ada' }), call('b:1:0', { name: 'Bob' })]
  assert.deepEqual(await elicit('web', form(), [one, other]), { action: 'cancel' })
  assert.deepEqual([...one.asked, ...other.asked], [])
})

test('a question outside of a call, or of a call that cannot ask, is canceled', async () => {
  assert.deepEqual(await elicit('web', form(), []), { action: 'cancel' })
  const alone: ElicitingCall = { context: { key: 'a:1:0', ask: undefined }, questions: 0 }
  assert.deepEqual(await elicit('web', form(), [alone]), { action: 'cancel' })
})

test('the user can decline or cancel', async () => {
  const answered = async (reply: Json): Promise<unknown> =>
    (await elicit('web', form(), [call('a:1:0', reply)])).action
  assert.equal(await answered('decline'), 'decline')
  assert.equal(await answered(false), 'decline')
  assert.equal(await answered('cancel'), 'cancel')
  assert.equal(await answered(null), 'cancel')
})

test('an invalid reply is asked for again, three times at most', async () => {
  const user = call('a:1:0', {}, { name: { first: 'Ada' } }, { name: 3 }, { name: 'Ada' })
  assert.deepEqual(await elicit('web', form(), [user]), { action: 'cancel' })
  assert.equal(user.asked.length, 3)
  assert.match(user.asked[1] ?? '', /name: is required/)
  assert.match(user.asked[2] ?? '', /plain values/)
})

test('a server gets no more than ten answers per call', async () => {
  const user = call('a:1:0', ...Array.from({ length: 20 }, () => ({ name: 'Ada' })))
  const actions: string[] = []
  for (let asked = 0; asked < 12; asked++) {
    actions.push((await elicit('web', form(), [user])).action)
  }
  assert.deepEqual(actions.slice(9), ['accept', 'cancel', 'cancel'])
})
