import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A line between a browser and the server that can be cut, as a network can. */
export interface Line {
  readonly url: string
  /** Breaks all connections, and refuses new ones until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function openLine(to: string): Promise<Line> {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let isCut = false
  const line = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  const address = line.address()
  // The address of a TCP server is not a pipe name.
  assert.ok(typeof address === 'object' && address !== null)
  const end = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      isCut = true
      end()
    },
    mend() {
      isCut = false
    },
    async close() {
      end()
      await new Promise((resolve) => line.close(resolve))
    },
  }
}
