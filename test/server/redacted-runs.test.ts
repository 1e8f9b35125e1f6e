import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from 'echelon/client'
import { scripted, serving } from './served.ts'

const secret = 'sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH'

test('what was asked is redacted in lists, and no search finds what is hidden', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, ['Noted.'])])
  const client = createClient({ url })
  const input = `Write to ann.smith@example.org with the key ${secret}`
  const { id } = await client.runs.start({ agent: 'chat', input })
  await client.runs.end(id)
  const [listed] = (await client.runs.list()).runs
  for (const { asked } of [listed, await client.runs.get(id)].flatMap((view) => view ?? [])) {
    assert.match(asked ?? '', /^Write to /)
    assert.ok(!asked?.includes(secret) && !asked?.includes('ann.smith@example.org'), asked ?? '')
  }
  const found = async (search: string) => (await client.runs.list({ search })).runs.length
  assert.deepEqual(
    [await found('write to'), await found(secret), await found('ann.smith')],
    [1, 0, 0],
  )
})

test('an error of a model is told without its secrets', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [{ error: new Error(`401: the key ${secret} is revoked`) }]),
  ])
  const client = createClient({ url })
  const { id } = await client.runs.start({ agent: 'chat', input: 'Hi' })
  const stream = await (await fetch(`${url}/runs/${id}/events`)).text()
  const read = await (await fetch(`${url}/runs/${id}`)).text()
  assert.match(read, /is revoked/)
  for (const text of [stream, read]) assert.ok(!text.includes(secret), text)
})
