import { createServer } from 'node:http'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

/** The answer of a registry to a request for advisories; `silent` leaves it open. */
export type Manner = 'clean' | 'low' | 'critical' | 'refusing' | 'silent' | 'garbled'

/** A registry on this machine; its address. It knows one package, `made-up-thing`. */
export async function auditServer(t: TestContext, manner: Manner): Promise<string> {
  const server = createServer((request, response) => {
    if (manner === 'silent') return
    response.setHeader('content-type', 'application/json')
    if (manner === 'refusing') response.writeHead(405)
    response.end(request.method === 'GET' ? PACKAGE : answerOf(manner))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}/`
}

const PACKAGE = JSON.stringify({
  name: 'made-up-thing',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'made-up-thing', version: '1.0.0' } },
})

function answerOf(manner: Manner): string {
  if (manner === 'garbled') return '<p>Welcome</p>'
  if (manner !== 'low' && manner !== 'critical') return '{}'
  const advisory = {
    id: 1,
    url: 'https://example.org/advisory',
    title: 'It leaks',
    severity: manner,
    vulnerable_versions: '*',
    cwe: [],
    cvss: { score: 5, vectorString: null },
  }
  return JSON.stringify({ 'made-up-thing': [advisory] })
}
