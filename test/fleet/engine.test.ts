import { before, suite, test } from 'node:test'
import { openStore } from '@echelon/store'
import { engineContract } from 'echelon/testing'
import type { RunStore } from 'echelon/internal/store'
import type { Engine } from 'echelon/runtime'
import { startWorker } from '@echelon/fleet'
import type { PostgresServer } from '../../toolchain/postgres-server.ts'
import { postgresServer } from '../postgres/server.ts'
import { asObject } from './kit.ts'

suite('the engine of a fleet', () => {
  let server: PostgresServer
  let database: string
  before(async () => {
    server = await postgresServer()
    database = await server.create('contract')
  })

  let runs: RunStore | undefined
  const store = async (): Promise<RunStore> => (runs = (await openStore(':memory:')).runs)
  const cases = engineContract({
    store,
    async open(performer, { atOnce, principal, ofPrincipal }): Promise<Engine> {
      const worker = await startWorker({
        database,
        store: { runs: runs ?? (await store()) },
        performer,
        agents: ['chat'],
        limits: { atOncePerWorker: atOnce, principals: { [principal]: { atOnce: ofPrincipal } } },
      })
      return { ...asObject(worker.engine), close: () => worker.stop() }
    },
  })
  for (const { name, holds } of cases) test(name, holds)
})
