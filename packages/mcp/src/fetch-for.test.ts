import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { test, type TestContext } from 'node:test'
import { fetchFor } from './fetch-for.ts'

/** A server that records the headers of its requests. */
async function listening(
  t: TestContext,
): Promise<{ url: string; received: IncomingHttpHeaders[] }> {
  const received: IncomingHttpHeaders[] = []
  const server = createServer(({ headers }, response) => {
    received.push(headers)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: `http://127.0.0.1:${address.port}/mcp`, received }
}

test('the headers of a server are sent to its own origin only', async (t) => {
  const [home, other] = [await listening(t), await listening(t)]
  const headers = { Authorization: ['Bearer', 'abc'].join(' '), 'X-Team': 'a' }
  const fetched = fetchFor({ name: 'a', url: home.url, headers })
  const init = { headers: { ...headers, accept: 'text/plain' } }
  await fetched(home.url, init)
  await fetched(new URL('/token', other.url), init)
  await fetched(other.url, { headers: { ...headers, authorization: 'Basic its-own' } })
  assert.equal(home.received[0]?.authorization, headers.Authorization)
  const [first, second] = other.received
  assert.deepEqual(
    [first?.authorization, first?.['x-team'], first?.accept, second?.authorization],
    [undefined, undefined, 'text/plain', 'Basic its-own'],
  )
})

test('a server on HTTPS cannot direct requests to plain HTTP', async (t) => {
  const { url, received } = await listening(t)
  const fetched = fetchFor({ name: 'a', url: 'https://example.com/mcp' })
  await assert.rejects(fetched(url), /which is not encrypted$/)
  assert.deepEqual(received, [])
})
