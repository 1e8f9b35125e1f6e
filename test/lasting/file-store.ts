import { systemClock } from '../../src/host/clock.ts'
import { Database } from '../../src/stores/sqlite/database.ts'
import { Leases } from '../../src/stores/sqlite/leases.ts'
import { SqliteMemories } from '../../src/stores/sqlite/memories.ts'
import { SqliteResults } from '../../src/stores/sqlite/results.ts'
import { SqliteRuns } from '../../src/stores/sqlite/run-store.ts'
import { SqliteSessions } from '../../src/stores/sqlite/sessions.ts'

export async function openStore(path: string) {
  const db = await Database.open(path)
  const leases = new Leases(db, systemClock)
  const runs = new SqliteRuns(db, systemClock, leases)
  return {
    runs,
    results: new SqliteResults(db, leases, systemClock),
    memories: new SqliteMemories(db),
    sessions: new SqliteSessions(db, leases, { clock: systemClock, flush: async () => undefined }),
    async close() {
      runs.close()
      leases.close()
      db.close()
    },
  }
}
