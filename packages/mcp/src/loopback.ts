import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { EchelonError } from 'echelon/internal/value'

/** Local HTTP server that receives the OAuth redirect. */
export interface Loopback {
  /** The redirect address. */
  readonly address: string
  /**
   * Resolves with the authorization code; rejects if sign-in was refused. Requests with another
   * `state` get status 400.
   */
  code(state: string): Promise<string>
  close(): void
}

const PATH = '/callback'

/**
 * Listens on 127.0.0.1.
 * @param port 0 for any free port
 */
export async function openLoopback(port: number): Promise<Loopback> {
  let onRedirect: ((params: URLSearchParams) => boolean) | undefined
  const server = createServer((request, response) => {
    const params = paramsOf(request)
    if (params === undefined) return answer(response, 404, 'Not found.')
    if (onRedirect?.(params) !== true) return answer(response, 400, 'Unexpected request.')
    const isSignedIn = params.has('code')
    answer(response, 200, isSignedIn ? 'You are signed in.' : 'You are not signed in.')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // The open port alone must not keep the process alive.
  server.unref()
  const address = server.address()
  const used = typeof address === 'object' && address !== null ? address.port : port
  return {
    address: `http://127.0.0.1:${used}${PATH}`,
    code: (state) =>
      new Promise((resolve, reject) => {
        onRedirect = (params) => {
          if (params.get('state') !== state) return false
          onRedirect = undefined
          const code = params.get('code')
          if (code === null) reject(refused(params))
          else resolve(code)
          return true
        }
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function paramsOf({ method, url = '' }: IncomingMessage): URLSearchParams | undefined {
  const target = URL.parse(url, 'http://127.0.0.1')
  return method === 'GET' && target?.pathname === PATH ? target.searchParams : undefined
}

function answer(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(`${sentence} You may close this page.\n`)
}

const refused = (params: URLSearchParams): EchelonError =>
  new EchelonError(
    'SERVER_UNREACHABLE',
    `sign-in was refused (${(params.get('error') ?? 'no reason given').slice(0, 100)})`,
  )
