import { join } from 'node:path'
import { test } from 'node:test'
import { artifactIndexContract } from '../../../../echelon/src/testing/contract/store/artifact-index-contract.ts'
import { sessionStoreContract } from '../../../../echelon/src/testing/contract/store/session-store-contract.ts'
import { SetClock } from '../../../../echelon/src/testing/set-clock.ts'
import { SqliteArtifactIndex } from '../artifact-index.ts'
import { Database } from '../file/database.ts'
import { folderFor } from '../in-tests.ts'
import { Leases } from '../runs/leases.ts'
import { SqliteRuns } from '../runs/run-store.ts'
import { SqliteSessions } from './sessions.ts'

for (const [what, contract] of [
  ['conversations', sessionStoreContract],
  ['the index of files', artifactIndexContract],
] as const) {
  // Each case opens a file of its own, as soon as its test has begun.
  let path = ''
  const open = async () => {
    const db = await Database.open(path)
    const clock = new SetClock()
    const leases = new Leases(db, clock)
    const runs = new SqliteRuns(db, clock, leases)
    closers.push(() => {
      runs.close()
      leases.close()
      db.close()
    })
    const sessions = new SqliteSessions(db, leases, { clock, flush: async () => undefined })
    return { runs, sessions, artifacts: new SqliteArtifactIndex(db) }
  }
  const closers: (() => void)[] = []
  for (const { name, holds } of contract(open)) {
    test(`[C-26] [C-31] ${what} in a file: ${name}`, async (t) => {
      path = join(await folderFor(t), 'echelon.db')
      t.after(() => closers.pop()?.())
      await holds()
    })
  }
}
