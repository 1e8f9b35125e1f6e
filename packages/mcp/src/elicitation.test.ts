import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../echelon/src/core/value/json.ts'
import { type Asking, elicit } from './elicitation.ts'

/** A call whose user answers so, one after the other. */
function call(key: string, ...replies: Json[]): Asking & { readonly asked: readonly string[] } {
  const asked: string[] = []
  const ask = (question: string): Promise<Json> => {
    asked.push(question)
    return Promise.resolve(replies.shift() ?? null)
  }
  return { context: { key, ask }, questions: 0, asked }
}

const mutable = (): Parameters<typeof elicit>[1] => ({
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
})

test('of several calls of one run the last one asks', async () => {
  const [first, last] = [call('run:1:0'), call('run:1:1', { name: 'Ada' })]
  const result = await elicit('web', mutable(), [first, last])
  assert.deepEqual(result, { action: 'accept', content: { name: 'Ada' } })
  assert.deepEqual(first.asked, [])
  assert.deepEqual(last.asked, ['web asks: Your name?'])
})

test('of calls of several runs nobody is asked, since it might be the wrong person', async () => {
  const [one, other] = [call('a:1:0', { name: 'Ada' }), call('b:1:0', { name: 'Bob' })]
  assert.deepEqual(await elicit('web', mutable(), [one, other]), { action: 'cancel' })
  assert.deepEqual([...one.asked, ...other.asked], [])
})

test('outside of a call, or where nobody can be asked, it is canceled', async () => {
  assert.deepEqual(await elicit('web', mutable(), []), { action: 'cancel' })
  const alone: Asking = { context: { key: 'a:1:0', ask: undefined }, questions: 0 }
  assert.deepEqual(await elicit('web', mutable(), [alone]), { action: 'cancel' })
})

test('whoever declines has declined, and whoever cancels has canceled', async () => {
  const answered = async (reply: Json): Promise<unknown> =>
    (await elicit('web', mutable(), [call('a:1:0', reply)])).action
  assert.equal(await answered('decline'), 'decline')
  assert.equal(await answered(false), 'decline')
  assert.equal(await answered('cancel'), 'cancel')
  assert.equal(await answered(null), 'cancel')
})

test('what does not fit is asked for again, three times at most', async () => {
  const user = call('a:1:0', {}, { name: { first: 'Ada' } }, { name: 3 }, { name: 'Ada' })
  assert.deepEqual(await elicit('web', mutable(), [user]), { action: 'cancel' })
  assert.equal(user.asked.length, 3)
  assert.match(user.asked[1] ?? '', /name: is required/)
  assert.match(user.asked[2] ?? '', /plain values/)
})

test('a server that never stops asking is not answered any more', async () => {
  const user = call('a:1:0', ...Array.from({ length: 20 }, () => ({ name: 'Ada' })))
  const actions: string[] = []
  for (let asked = 0; asked < 12; asked++) {
    actions.push((await elicit('web', mutable(), [user])).action)
  }
  assert.deepEqual(actions.slice(9), ['accept', 'cancel', 'cancel'])
})
