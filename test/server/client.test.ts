import assert from 'node:assert/strict'
import { connect, createServer as createProxy, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { ClientError, createClient, type RunEventView } from 'echelon/client'
import { hashToken, newToken } from '@echelon/server'
import { decider, scripted, serving } from './served.ts'
import { payTool } from './acting-tools.ts'

/** A connection to a server that can be cut. */
async function cuttable(t: TestContext, url: string) {
  const sockets = new Set<Socket>()
  const proxy = createProxy((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  t.after(() => {
    cut()
    proxy.close()
  })
  const address = proxy.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: `http://127.0.0.1:${address.port}`, cut }
}

test('a run is started, followed and read', async (t) => {
  const { url } = await serving(t, async (store) => [
    scripted(store, ['Hello there.', 'Again.']),
    await decider(store),
  ])
  const client = createClient({ url: `${url}/` })
  const { id } = await client.runs.start({ agent: 'chat', input: 'Hi', session: 'one' })
  const events: RunEventView[] = []
  const following = client.runs.events(id)
  let next = await following.next()
  assert.equal(
    next.value !== undefined && 'event' in next.value && next.value.event.type,
    'run-start',
  )
  for (; next.done !== true; next = await following.next()) events.push(next.value)
  assert.equal(next.value.end?.text, 'Hello there.')
  assert.equal(events.at(-1)?.event.type, 'run-end')
  const text = events.map(({ event }) => (event.type === 'text-delta' ? event.delta : '')).join('')
  assert.equal(text, 'Hello there.')
  assert.equal((await client.runs.get(id)).status, 'finished')
  assert.deepEqual(
    (await client.runs.list({ agent: 'chat' })).runs.map((run) => run.id),
    [id],
  )
  assert.equal((await client.sessions.get('chat', 'one')).messages.length, 2)
  assert.equal((await client.sessions.list()).length, 1)
  await client.sessions.delete('chat', 'one')
  assert.equal((await client.sessions.list()).length, 0)
  assert.deepEqual(
    (await client.agents.list()).map(({ name }) => name),
    ['chat', 'decide'],
  )
  assert.equal((await client.agents.get('decide')).kind, 'decide')
  assert.equal((await client.costs({ by: 'agent' })).rows[0]?.key, 'chat')
  const once = { key: 'k' }
  const request = { agent: 'decide', input: 'What is 15 * 23?' }
  const [first, second] = [
    await client.runs.start(request, once),
    await client.runs.start(request, once),
  ]
  assert.equal(first.id, second.id)
  assert.equal((await client.runs.end(first.id)).end?.text, '345')
})

test('a connection that is cut again and again loses no event and repeats none', async (t) => {
  const words = Array.from({ length: 300 }, (_, index) => `w${index} `)
  const { url } = await serving(t, (store) => [scripted(store, [{ text: words, betweenMs: 5 }])])
  const proxied = await cuttable(t, url)
  const client = createClient({ url: proxied.url })
  const { id } = await client.runs.start({ agent: 'chat', input: 'Hi' })
  let text = ''
  const ids: string[] = []
  for await (const { id: place, event } of client.runs.events(id)) {
    ids.push(place)
    if (event.type === 'text-delta') text += event.delta
    if (ids.length % 60 === 0) proxied.cut()
  }
  assert.ok(ids.length > 240)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(text, words.join(''))
})

test('an approval is answered through the client', async (t) => {
  const pay = payTool()
  const script = [{ toolCalls: [{ tool: 'pay', input: {} }] }, 'Paid.']
  const { url } = await serving(t, (store) => [scripted(store, script, { tools: [pay] })])
  const client = createClient({ url })
  const { id } = await client.runs.start({ agent: 'chat', input: 'Pay' })
  for await (const { event } of client.runs.events(id)) {
    if (event.type !== 'request-open') continue
    const [approval] = await client.approvals.list()
    assert.ok(approval)
    assert.equal(approval.request, event.request)
    await client.approvals.answer(approval, { choice: 'once', hash: approval.hash })
  }
  const run = await client.runs.get(id)
  assert.equal(run.end?.text, 'Paid.')
  const fork = await client.runs.fork(id, { at: 0 })
  assert.equal(fork.forked_from, id)
  await client.runs.cancel(fork.id)
})

test('errors of the server are told with status, code and sentence', async (t) => {
  const token = newToken()
  const { url } = await serving(t, (store) => [scripted(store, [])], {
    tokens: [{ name: 'ada', sha256: hashToken(token), requestsPerMinute: 2 }],
  })
  await assert.rejects(createClient({ url }).agents.list(), { status: 401, code: 'no_token' })
  const client = createClient({ url, token })
  await assert.rejects(client.runs.get('none'), { status: 404, message: 'there is no run none' })
  await assert.rejects(client.runs.start({ agent: 'x', input: '' }), { status: 404 })
  await assert.rejects(client.agents.list(), { status: 429, code: 'too_many_requests' })
})

test('a missing server is reported, and an abandoned stream ends', async (t) => {
  const gone = createClient({ url: 'http://127.0.0.1:9', reconnects: 1 })
  await assert.rejects(gone.agents.list(), /there is no server at http:\/\/127\.0\.0\.1:9/)
  await assert.rejects(
    gone.runs.end('x'),
    (error) => error instanceof ClientError && error.status === 0,
  )
  const { url, server } = await serving(t, (store) => [
    scripted(store, [{ text: 'Slow.', delayMs: Infinity }]),
  ])
  const client = createClient({ url })
  const { id } = await client.runs.start({ agent: 'chat', input: 'Hi' })
  const leaving = new AbortController()
  const reading = client.runs.end(id, { signal: leaving.signal })
  while (server.hub.followers === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  leaving.abort()
  await assert.rejects(reading, { name: 'AbortError' })
  while (server.hub.followers > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await client.runs.cancel(id)
})
