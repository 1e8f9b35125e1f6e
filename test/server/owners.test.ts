import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, createClient, type RunFilterQuery } from 'echelon/client'
import { hashToken, newToken } from '@echelon/server'
import { scripted, serving } from './served.ts'

test('an operator reads and deletes the conversation of another user by its owner', async (t) => {
  const [ada, bob, root] = [newToken(), newToken(), newToken()]
  const { url } = await serving(t, (store) => [scripted(store, ['One.', 'Two.', 'Three.'])], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada) },
      { name: 'bob', sha256: hashToken(bob) },
      { name: 'root', sha256: hashToken(root), isOperator: true },
    ],
  })
  const clientOf = (token: string) => createClient({ url, token })
  const [hers, his, operator] = [clientOf(ada), clientOf(bob), clientOf(root)]
  // Both chose the same id.
  for (const [client, input] of [
    [hers, 'I am Ada'],
    [his, 'I am Bob'],
  ] as const) {
    const { id } = await client.runs.start({ agent: 'chat', input, session: 's' })
    await client.runs.end(id)
  }
  const askedIn = async (client: Client, filter: RunFilterQuery) =>
    (await client.runs.list(filter)).runs.map(({ asked }) => asked)
  const session = { agent: 'chat', session: 's' }
  assert.deepEqual(await askedIn(operator, { ...session, owner: 'ada' }), ['I am Ada'])
  assert.deepEqual(await askedIn(operator, { owner: 'bob' }), ['I am Bob'])
  assert.deepEqual(await askedIn(operator, session), [])
  assert.deepEqual(await askedIn(hers, { ...session, owner: 'ada' }), ['I am Ada'])
  assert.deepEqual(await askedIn(hers, { ...session, owner: 'bob' }), [])
  assert.deepEqual(await askedIn(hers, { owner: 'bob' }), [])
  const listed = await operator.sessions.list({ owner: 'bob' })
  assert.deepEqual(
    listed.map(({ owner, id }) => [owner, id]),
    [['bob', 's']],
  )
  assert.deepEqual(await hers.sessions.list({ owner: 'bob' }), [])
  const { messages } = await operator.sessions.get('chat', 's', { owner: 'bob' })
  assert.equal(messages[0]?.text, 'I am Bob')
  await assert.rejects(hers.sessions.get('chat', 's', { owner: 'bob' }), { status: 404 })
  await assert.rejects(hers.sessions.delete('chat', 's', { owner: 'bob' }), { status: 404 })
  await operator.sessions.delete('chat', 's', { owner: 'bob' })
  await assert.rejects(his.sessions.get('chat', 's'), { status: 404 })
  assert.equal((await hers.sessions.get('chat', 's')).messages.length, 2)
})
