import { after } from 'node:test'
import { type PostgresServer, startServer } from './start-server.ts'

let started: Promise<PostgresServer> | undefined

// Here, and not where it is started: within a test it would end with that test.
after(async () => {
  const server = await started?.catch(() => undefined)
  await server?.stop()
})

/** The server of this process, which is stopped and removed when its tests are over. */
export const postgresServer = (): Promise<PostgresServer> => (started ??= startServer())
