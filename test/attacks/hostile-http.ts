import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createRawServer, type Server, type Socket } from 'node:net'
import { createGzip } from 'node:zlib'

/** A hostile server on loopback. */
export interface HostileServer extends AsyncDisposable {
  readonly origin: string
  /** The number of requests received. */
  readonly asked: { count: number }
}

export type Answering = (response: ServerResponse, request: IncomingMessage) => unknown

/** Answers each request once its body has arrived. */
export async function hostileServer(
  answer: Answering,
  read: (request: IncomingMessage) => Promise<unknown> = drained,
): Promise<HostileServer> {
  const asked = { count: 0 }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void read(request)
      .then(() => {
        asked.count++
        return answer(response, request)
      })
      .catch(() => response.destroy())
  })
  return await listening(server, asked, () => server.closeAllConnections())
}

async function drained(request: IncomingMessage): Promise<void> {
  await once(request.resume(), 'end')
}

/** Writes raw bytes that are not valid HTTP. */
export async function rawServer(answer: (socket: Socket) => void): Promise<HostileServer> {
  const asked = { count: 0 }
  const sockets = new Set<Socket>()
  const server = createRawServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      asked.count++
      answer(socket)
    })
  })
  return await listening(server, asked, () => sockets.forEach((socket) => socket.destroy()))
}

async function listening(
  server: Server,
  asked: { count: number },
  hangUp: () => void,
): Promise<HostileServer> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      hangUp()
      await closed
    },
  }
}

interface Sink {
  write(chunk: string | Buffer): boolean
  once(event: 'drain', listener: () => void): unknown
  readonly destroyed: boolean
}

/** Writes as fast as the reader reads, until the connection breaks. */
export function pour(sink: Sink, chunk: string | Buffer): void {
  while (!sink.destroyed) {
    if (!sink.write(chunk)) {
      sink.once('drain', () => pour(sink, chunk))
      return
    }
  }
}

/** Compressed a thousand to one. */
export function pourPacked(response: ServerResponse, chunk: Buffer): void {
  const gzip = createGzip()
  gzip.on('error', () => undefined)
  gzip.pipe(response)
  response.on('close', () => gzip.destroy())
  pour(gzip, chunk)
}
