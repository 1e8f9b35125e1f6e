import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freshDatabase } from './fresh-database.ts'
import { Crew } from './crew.ts'

const STEPS = 30

/** Stands between a worker and the database, and passes nothing on while it is cut: no byte, and no end either. */
async function cuttableProxy(target: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1')
    const end = (): void => [client, server].forEach((socket) => socket.destroy())
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => (sockets.delete(socket), end()))
    }
    client.pipe(server)
    server.pipe(client)
    if (isCut) for (const socket of [client, server]) socket.pause()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    mend: () => {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

suite('a worker that is cut off from the database', { timeout: 300_000 }, () => {
  test('loses its run to another, and does nothing twice when it is back', async (t) => {
    const database = await freshDatabase('cut')
    const address = new URL(database)
    const proxy = await cuttableProxy(Number(address.port))
    t.after(proxy.close)
    address.port = String(proxy.port)
    const crew = await Crew.on(t, database)
    await crew.hire('cut', { database: address.href })
    await crew.order('run', { steps: STEPS, ms: 50 })
    while (crew.actions.length < 5) await wait(10)
    proxy.cut()
    await crew.hire('other')
    await crew.until('run', 'ended')
    const done = crew.actions.length
    proxy.mend()
    await wait(3000)
    assert.equal(crew.actions.length, done, 'it does nothing more')
    assert.equal(new Set(crew.actions).size, done, 'no action is done twice')
  })
})
