import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A real PostgreSQL server. */
export interface PostgresServer {
  /** The address of a schema that does not exist yet. */
  address(): string
  /** Shuts it down while its clients are connected, and starts it again. */
  restart(pauseMs?: number): Promise<void>
  /** Stops it and removes its data. */
  stop(): Promise<void>
  readonly port: number
  readonly password: string
}

const PROGRAM = fileURLToPath(new URL('server-process.ts', import.meta.url))

/** @param isDurable whether it waits for the disk, which tests do not need */
export async function startServer(isDurable = false): Promise<PostgresServer> {
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  // It is no test: nothing is preloaded.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = fork(PROGRAM, [String(port), password, isDurable ? 'on' : 'off'], {
    env,
    execArgv: [],
    stdio: 'inherit',
  })
  const isReady = async (): Promise<void> => {
    const [message] = await once(child, 'message')
    if (message !== 'ready') throw new Error(`PostgreSQL did not start: ${String(message)}`)
  }
  await isReady()
  let schemas = 0
  return {
    port,
    password,
    stop: async () => {
      const isOver = once(child, 'exit')
      child.disconnect()
      await isOver
    },
    address: () =>
      `postgres://postgres:${password}@127.0.0.1:${port}/postgres?schema=s${process.pid}_${schemas++}`,
    restart: async (pauseMs = 0) => {
      child.send(pauseMs)
      await isReady()
    },
  }
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
  })
  return promise
}
