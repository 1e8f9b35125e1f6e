import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import { guardedFetch, isPublicAddress } from './guarded-fetch.ts'

async function peer(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

const anywhere = { mayReach: () => true }

test('no private, loopback, link-local or mapped address is public', () => {
  const own = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'not an address',
  ]
  for (const address of own) assert.equal(isPublicAddress(address), false, address)
  for (const address of ['93.184.215.14', '2606:2800:21f:cb07::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('addresses of this machine are refused in every spelling', async () => {
  const spellings = [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://localhost/',
    'http://user@example.org/',
    'file:///etc/passwd',
    'ftp://example.org/',
    'no address',
  ]
  for (const address of spellings) {
    await assert.rejects(guardedFetch(address), { code: 'address_refused' }, address)
  }
})

test('a redirect to an address that may not be reached is refused', async (t) => {
  const url = await peer(t, (_, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
  })
  const mayReach = (address: string) => address === '127.0.0.1'
  await assert.rejects(guardedFetch(url, { mayReach }), { code: 'address_refused' })
})

test('redirects are followed a few times', async (t) => {
  const url = await peer(t, (request, response) => {
    if (request.url === '/file') response.writeHead(200, { 'content-type': 'text/plain' }).end('hi')
    else response.writeHead(302, { location: request.url === '/loop' ? '/loop' : '/file' }).end()
  })
  const fetched = await guardedFetch(url, anywhere)
  assert.deepEqual(
    [fetched.status, fetched.mediaType, Buffer.from(fetched.body).toString(), fetched.url],
    [200, 'text/plain', 'hi', `${url}/file`],
  )
  await assert.rejects(guardedFetch(`${url}/loop`, anywhere), /redirects too often/)
})

test('size and time are bounded', async (t) => {
  const url = await peer(t, (request, response) => {
    response.writeHead(200)
    if (request.url === '/large') response.end(Buffer.alloc(5000))
    else response.write('slow')
  })
  await assert.rejects(guardedFetch(`${url}/large`, { ...anywhere, maxBytes: 4000 }), /larger than/)
  await assert.rejects(
    guardedFetch(`${url}/slow`, { ...anywhere, timeoutMs: 100 }),
    /took too long/,
  )
})
