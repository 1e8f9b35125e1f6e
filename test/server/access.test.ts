import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createServer, hashToken, newToken } from '@echelon/server'
import { decider, scripted, serving } from './served.ts'

const start = (url: string, token?: string, body: unknown = { agent: 'chat', input: 'Hi' }) =>
  fetch(`${url}/runs`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })

/** A request with headers that `fetch` does not let one set. */
const raw = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(`${url}/runs/x/events`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })

test('a server with tokens answers only to them, and each user sees their own agents', async (t) => {
  const [ada, bob] = [newToken(), newToken()]
  const { url } = await serving(
    t,
    async (store) => [scripted(store, ['One.', 'Two.']), await decider(store)],
    {
      tokens: [
        { name: 'ada', sha256: hashToken(ada) },
        { name: 'bob', sha256: hashToken(bob), agents: ['decide'] },
      ],
    },
  )
  const none = await start(url)
  assert.deepEqual([none.status, none.headers.get('www-authenticate')], [401, 'Bearer'])
  assert.equal((await start(url, newToken())).status, 401)
  assert.equal((await start(url, ada)).status, 201)
  assert.equal((await start(url, bob)).status, 404)
  assert.equal((await start(url, bob, { agent: 'decide', input: 'What is 2 + 2?' })).status, 201)
})

test('a server without a token listens on this machine only', async (t) => {
  const { store } = await serving(t, (store) => [scripted(store, [])])
  const server = createServer({ agents: [], store })
  await assert.rejects(server.listen({ host: '0.0.0.0', port: 0 }), {
    code: 'INVALID_CONFIG',
    message: /other machines could reach the server at 0\.0\.0\.0/,
  })
})

test('a taken port, and one that there is not, is said in a sentence', async (t) => {
  const { url, store } = await serving(t, (store) => [scripted(store, [])])
  const server = createServer({ agents: [], store })
  const port = Number(new URL(url).port)
  await assert.rejects(server.listen({ port }), /another program listens there/)
  for (const port of [65_536, -1, 1.5]) {
    await assert.rejects(server.listen({ port }), {
      code: 'INVALID_CONFIG',
      message: /name one from 1 to 65535, or 0 for a free one/,
    })
  }
})

test('pages of other sites cannot reach a server of this machine', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, ['One.'])])
  assert.equal(await raw(url, {}), 404)
  assert.equal(await raw(url, { host: 'evil.example' }), 403)
  assert.equal(await raw(url, { origin: 'https://evil.example' }), 403)
  const preflight = await fetch(`${url}/runs`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST' },
  })
  assert.equal(preflight.headers.get('access-control-allow-origin'), null)
})

test('allowed origins may call from elsewhere, without a token for the preflight', async (t) => {
  const token = newToken()
  const { url, server } = await serving(t, (store) => [scripted(store, ['One.'])], {
    tokens: [{ name: 'ada', sha256: hashToken(token) }],
    origins: ['https://app.example'],
  })
  const preflight = await server.app.request(`${url}/runs`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://app.example')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/i)
})

test('bodies, headers and addresses are bounded', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, ['One.'])], { maxBodyBytes: 1000 })
  assert.equal(
    (await start(url, undefined, { agent: 'chat', input: 'x'.repeat(2000) })).status,
    413,
  )
  assert.equal((await fetch(`${url}/${'x'.repeat(9000)}`)).status, 414)
  assert.equal(await raw(url, { 'x-long': 'x'.repeat(20_000) }), 431)
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(500)),
  })
  const streamed = await fetch(`${url}/runs`, {
    method: 'POST',
    body: endless,
    duplex: 'half',
  }).catch(() => undefined)
  assert.ok(streamed === undefined || streamed.status === 413)
})

test('a user has so many requests a minute and runs at once', async (t) => {
  const [ada, bob] = [newToken(), newToken()]
  const slow = { text: 'Slow.', delayMs: Infinity }
  const { url, server } = await serving(t, (store) => [scripted(store, [slow, slow])], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada), requestsPerMinute: 2 },
      { name: 'bob', sha256: hashToken(bob), runsAtOnce: 1 },
    ],
  })
  assert.equal((await start(url, ada, {})).status, 400)
  assert.equal((await start(url, ada, {})).status, 400)
  const limited = await start(url, ada, {})
  assert.match(`${limited.status} ${limited.headers.get('retry-after')}`, /^429 (?:29|30)$/)
  assert.equal((await start(url, bob)).status, 201)
  const full = await start(url, bob)
  assert.deepEqual([full.status, full.headers.get('retry-after')], [429, '2'])
  for (const { id } of await server.hub.list({ name: 'bob' })) {
    await server.hub.cancel(id, { name: 'bob' })
  }
})

test('an error shows no stack, and the log no secret', async (t) => {
  const lines: string[] = []
  const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'
  const { url } = await serving(t, (store) => [scripted(store, [])], {
    authenticate: () => {
      throw new Error(`cannot ask ${secret}\nat line two`)
    },
    log: (line) => lines.push(line),
  })
  const failed = await start(url)
  assert.equal(failed.status, 500)
  const text = await failed.text()
  assert.ok(!text.includes(secret) && !/\bat /.test(text), text)
  assert.equal(lines.length, 1)
  assert.ok(!lines[0]?.includes(secret) && !lines[0]?.includes('\n'), lines[0])
})

test('every response carries the security headers', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, ['One.'])])
  for (const response of [
    await start(url),
    await fetch(`${url}/nowhere`),
    await start(url, '', 1),
  ]) {
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  }
})

test('a connection that does not speak HTTP is answered with 400', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, [])])
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nnonsense\r\n\r\n')
  const answer = await new Promise<string>((resolve) =>
    socket.once('data', (data) => resolve(data.toString())),
  )
  assert.match(answer, /^HTTP\/1\.1 400/)
})
