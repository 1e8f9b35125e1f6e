import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A real PostgreSQL server of this process. */
export interface PostgresServer {
  /** The address of a schema that does not exist yet. */
  address(): string
  /** Shuts it down while its clients are connected, and starts it again. */
  restart(pauseMs?: number): Promise<void>
  readonly port: number
  readonly password: string
}

const PROGRAM = fileURLToPath(new URL('server-process.ts', import.meta.url))

let started: Promise<PostgresServer> | undefined
let stop: () => Promise<void> = async () => undefined

// Here, and not where it is started: within a test it would end with that test.
after(() => stop())

/** The server of this process, which is stopped and removed when its tests are over. */
export const postgresServer = (): Promise<PostgresServer> => (started ??= start())

async function start(): Promise<PostgresServer> {
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  // It is no test: nothing is preloaded.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = fork(PROGRAM, [String(port), password], { env, execArgv: [], stdio: 'inherit' })
  const isReady = async (): Promise<void> => {
    const [message] = await once(child, 'message')
    if (message !== 'ready') throw new Error(`PostgreSQL did not start: ${String(message)}`)
  }
  stop = async () => {
    const isOver = once(child, 'exit')
    child.disconnect()
    await isOver
  }
  await isReady()
  let schemas = 0
  return {
    port,
    password,
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
