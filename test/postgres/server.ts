import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { type PostgresServer, startPostgres } from '../../toolchain/postgres-server.ts'

let started: Promise<PostgresServer> | undefined

// Here, and not at the start of the server: within a test it would end with that test.
after(async () => {
  const server = await started?.catch(() => undefined)
  await server?.stop()
})

/** The server of this process, which is stopped and removed when its tests are over. */
export const postgresServer = (): Promise<PostgresServer> =>
  (started ??= startPostgres({
    password: randomBytes(12).toString('hex'),
    // A test needs the order of writes, not their survival of a power failure.
    settings: ['fsync=off', 'max_connections=400'],
  }))
