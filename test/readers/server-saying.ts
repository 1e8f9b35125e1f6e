import { createServer } from 'node:http'
import { once } from 'node:events'

/** A local server that answers every request with the same text. */
export interface ServerSaying {
  readonly url: string
  say(text: string): void
}

/** It keeps no process alive. */
export async function serverSaying(): Promise<ServerSaying> {
  let said = ''
  const server = createServer((request, response) => {
    request.resume()
    const isStream = said.startsWith('data:') || said.startsWith('event:')
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(said)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    say: (text) => {
      said = text
    },
  }
}
