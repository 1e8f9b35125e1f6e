import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and the server, and loses answers. */
export interface CuttingProxy {
  readonly port: number
  /** The number of lost answers. */
  readonly cuts: () => number
  close(): Promise<void>
}

/**
 * Passes everything on, but of each `every`-th message of the client that holds one of these words the
 * server's answer is lost with the connection: the statement was done, and the client cannot know.
 */
export async function cuttingProxy(
  target: number,
  words: readonly string[],
  every: number,
): Promise<CuttingProxy> {
  let seen = 0
  let cuts = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1')
    let isLosing = false
    const both = [client, server]
    const end = (): void => both.forEach((socket) => socket.destroy())
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (words.some((word) => text.includes(word)) && ++seen % every === 0) isLosing = true
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isLosing) return client.write(bytes)
      cuts++
      end()
      return false
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
