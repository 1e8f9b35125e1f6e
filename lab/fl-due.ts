import { startPostgres } from '../toolchain/postgres-server.ts'
import { openStore } from '@echelon/store'
import { Client } from 'pg'
const server = await startPostgres()
const db = await server.create('q')
const store = await openStore(db)
const c = new Client({ connectionString: db })
await c.connect()
await c.query('set search_path = echelon')
await c.query(`insert into runs (id, agent, version, status, reason, input_json, made_json, session, began_at, changed_at)
   select 'filled-' || n, 'stepping', 1, case when n % 5 < 2 then 'suspended' else 'finished' end, 'done', '"10"', 'null', 'bench/stepping/' || n, n, n
   from generate_series(1, 1000000) n`)
await c.query(`update runs set status = 'left' where id in ('filled-5', 'filled-500000')`)
await c.query(
  `update runs set wake_at = 9999999999999 where status = 'suspended' and began_at % 2 = 0`,
)
await c.query('vacuum analyze')
const timed = async (name: string, work: () => Promise<unknown>) => {
  const times: number[] = []
  for (let n = 0; n < 7; n++) {
    const at = performance.now()
    await work()
    times.push(performance.now() - at)
  }
  console.log(name, times.sort((a, b) => a - b)[3]?.toFixed(1), 'ms')
}
await timed('due', () => store.runs.due())
await timed('list waiting', () => store.runs.list({ status: ['waiting'] }))
await timed('list interrupted', () => store.runs.list({ status: ['interrupted'] }))
const { fleetFigures, connectFleet } = await import('@echelon/fleet')
const engine = await connectFleet({ database: db, store })
await timed('figures', async () => {
  const f = fleetFigures(db)
  for (const one of f.list) await one.read()
  await f.close()
})
await engine.close()
await c.end()
await store.close()
await server.stop()
