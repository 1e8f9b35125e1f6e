import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../toolchain/postgres-server.ts'

/** A real PostgreSQL server for the tests of a file. */
export async function testServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  // A test needs the order of writes, not their survival of a power failure.
  const settings = ['fsync=off', 'max_connections=400']
  const server = await startPostgres({ folder, settings })
  return {
    ...server,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
