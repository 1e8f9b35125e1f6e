import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fleetFigures } from '@echelon/fleet'
import { startPostgres } from '../../toolchain/postgres-server.ts'
import { serverHere } from './kit.ts'

const READY_WITHIN_MS = 2000
/** After that time Prometheus gives a scrape up. */
const SCRAPED_WITHIN_MS = 10_000
/** Longer than the database is looked at while it is away, on a busy machine too. */
const AWAY_MS = 12_000

/** A path of a server, and how long it took to answer. */
async function asked(url: string, path: string) {
  const began = performance.now()
  const answer = await fetch(`${url}${path}`)
  const text = await answer.text()
  return { status: answer.status, text, ms: performance.now() - began }
}

suite('a server whose database is away', { timeout: 300_000 }, () => {
  test('says so at once, serves the metrics that it has, and is ready when it is back', async (t) => {
    // A server of its own, since others would miss it.
    const postgres = await startPostgres({ settings: ['fsync=off'] })
    const database = await postgres.create('away')
    const figures = fleetFigures(database)
    const { url, stop } = await serverHere({
      database,
      agentsOn: () => [],
      options: { figures: figures.list },
    })
    t.after(async () => {
      await stop()
      await figures.close()
      await postgres.stop()
    })
    assert.equal((await asked(url, '/readyz')).text, '{"status":"ready"}')
    assert.match((await asked(url, '/metrics')).text, /^echelon_waiting_requests 0$/m)

    let isBack = false
    const back = postgres.restart(AWAY_MS).then(() => (isBack = true))
    while ((await asked(url, '/readyz')).status === 200) await wait(20)
    const [first, second, metrics] = await Promise.all([
      asked(url, '/readyz'),
      asked(url, '/readyz'),
      asked(url, '/metrics'),
    ])
    assert.ok(!isBack, 'all of it was asked while the database was away')
    for (const { status, text, ms } of [first, second]) {
      assert.equal(status, 503)
      assert.deepEqual(JSON.parse(text), {
        status: 'not_ready',
        reason: 'the database cannot be reached',
      })
      assert.ok(ms < READY_WITHIN_MS, `it took ${ms} ms`)
    }
    assert.equal(metrics.status, 200)
    assert.ok(metrics.ms < SCRAPED_WITHIN_MS, `it took ${metrics.ms} ms`)
    assert.match(metrics.text, /^echelon_runs_working 0$/m)
    assert.match(metrics.text, /^# TYPE echelon_waiting_requests gauge$/m)
    assert.doesNotMatch(metrics.text, /^echelon_waiting_requests \d/m)

    await back
    while ((await asked(url, '/readyz')).status !== 200) await wait(100)
    assert.match((await asked(url, '/metrics')).text, /^echelon_waiting_requests 0$/m)
  })
})
