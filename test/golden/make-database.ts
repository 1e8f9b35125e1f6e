import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { openStore } from '@echelon/store'

/**
 * Writes a database of this version:
 * `node --conditions=echelon-source test/golden/make-database.ts NAME`. Written files are kept and must
 * be opened by all later versions, so a new version gets a new name.
 */
const [name = 'new'] = process.argv.slice(2)
const path = fileURLToPath(new URL(`databases/${name}.db`, import.meta.url))
rmSync(path, { force: true })

const clock = new SetClock()
const at = clock.now()
const ids = seededIds(1)
const store = await openStore(path, { clock })
const started = {
  type: 'started',
  path: '',
  agent: 'golden',
  version: 1,
  input: 'Is it there?',
  at,
  seed: 1,
  timeZone: 'UTC',
  models: { main: 'offline/small' },
  limits: { money: 1 },
} as const
const [done, asks] = [ids.next(), ids.next()]
await store.runs.append(done, [{ ...started, runId: done }])
await store.runs.append(done, [
  {
    type: 'closed',
    path: '',
    seq: 0,
    digest: 1,
    seen: { type: 'answered', reply: 'yes' },
    at,
    spent: { steps: 1 },
  },
  { type: 'ended', path: '', status: 'finished', reason: 'done', at },
])
await store.runs.append(asks, [
  { ...started, runId: asks },
  { type: 'requested', path: '', seq: 0, request: 'q', about: { question: '?', schema: null }, at },
])
store.runs.leave(asks, { type: 'suspended' })
await store.memories.write('road', { taken: true }, { key: 'k' })
await store.notes.write(
  { type: 'create', scope: { kind: 'user', id: 'ada' }, title: 'seat', text: 'by the window' },
  'n',
)
await store.cache.set('c', ['kept'], 3_600_000)
await store.results.claim('key', 'input', done)
await store.results.settle('key', { answer: 42 })
await store.close()
// A single file without its log; the lease holder is this machine's and means nothing later.
const db = new DatabaseSync(path)
db.exec(
  'pragma wal_checkpoint(truncate); pragma journal_mode = delete; pragma page_size = 1024; update leases set holder = null; vacuum',
)
db.close()
