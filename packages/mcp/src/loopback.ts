import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { EchelonError } from 'echelon/internal/value'

/** Waits on this machine for the browser to come back with a code. */
export interface Loopback {
  /** Where the browser is to come back to. */
  readonly address: string
  /** The code of whoever signed in; rejects when they refused. Anything without this state is turned away. */
  code(state: string): Promise<string>
  close(): void
}

const PATH = '/callback'

/**
 * Listens on 127.0.0.1.
 * @param port 0 for any that is free
 */
export async function openLoopback(port: number): Promise<Loopback> {
  let heard: ((params: URLSearchParams) => boolean) | undefined
  const server = createServer((request, response) => {
    const params = paramsOf(request)
    if (params === undefined) return answer(response, 404, 'There is nothing here.')
    if (heard?.(params) !== true) return answer(response, 400, 'This is not what was asked for.')
    const isIn = params.has('code')
    answer(response, 200, isIn ? 'You are signed in.' : 'You are not signed in.')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // Signing in is waited for elsewhere; an open port alone keeps no program alive.
  server.unref()
  const address = server.address()
  const used = typeof address === 'object' && address !== null ? address.port : port
  return {
    address: `http://127.0.0.1:${used}${PATH}`,
    code: (state) =>
      new Promise((resolve, reject) => {
        heard = (params) => {
          if (params.get('state') !== state) return false
          heard = undefined
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
    `signing in was refused (${(params.get('error') ?? 'no reason given').slice(0, 100)})`,
  )
