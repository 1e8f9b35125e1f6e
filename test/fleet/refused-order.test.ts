import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { connectFleet, type FleetEngine } from '@echelon/fleet'
import { fleetDatabase } from '../../packages/fleet/src/database-address.ts'
import { SERVER_KEEPALIVES } from '../../packages/fleet/src/worker/executor-lock.ts'
import { freshDatabase } from './fresh-database.ts'
import { type Store, workerHere } from './kit.ts'
import { sessionAgent } from './session-agent.ts'

const order = (engine: FleetEngine, run: string, text = run): Promise<void> =>
  engine.start({
    run,
    task: {
      agent: 'steps',
      input: { text },
      context: { caller: 'ada' },
      held: { maxCost: null, at: Date.now() },
    },
    principal: 'ada',
  })

async function until(engine: FleetEngine, run: string, place: string): Promise<void> {
  while ((await engine.status(run))?.type !== place) await wait(20)
}

suite('an order that a worker cannot take', { timeout: 300_000 }, () => {
  test('goes back to its queue for a worker that can', async (t) => {
    const database = await freshDatabase('agent')
    const old = await workerHere({ database, agentsOn: () => [], name: 'old' })
    const engine = await connectFleet({ database, store: old.store })
    await order(engine, 'a')
    await wait(1500)
    assert.notEqual((await engine.status('a'))?.type, 'failed')
    await old.worker.stop()
    const told: string[] = []
    const agentsOn = (store: Store) => [sessionAgent(store, told)]
    const next = await workerHere({ database, agentsOn, name: 'new' })
    t.after(async () => {
      await engine.close()
      await next.stop()
      await old.stop()
    })
    await until(engine, 'a', 'ended')
    assert.equal(told.length, 4)
  })

  for (const [how, limits] of [
    ['', {}],
    [', with a limit of its user', { principals: { ada: { atOnce: 2 } } }],
  ] as const) {
    test(`never begins if it is canceled meanwhile${how}`, async (t) => {
      const database = await freshDatabase(`cancel${how.length}`)
      const old = await workerHere({ database, limits, agentsOn: () => [], name: 'old' })
      const engine = await connectFleet({ database, store: old.store, limits })
      await order(engine, 'a')
      await until(engine, 'a', 'working')
      await wait(400)
      assert.equal(await engine.cancel('a'), true)
      await old.worker.stop()
      const told: string[] = []
      const agentsOn = (store: Store) => [sessionAgent(store, told)]
      const next = await workerHere({ database, limits, agentsOn, name: 'new' })
      t.after(async () => {
        await engine.close()
        await next.stop()
        await old.stop()
      })
      await order(engine, 'b')
      await until(engine, 'b', 'ended')
      assert.deepEqual(new Set(told.map((what) => what.slice(0, 1))), new Set(['b']))
      assert.equal((await engine.status('a'))?.type, 'ended')
    })
  }

  test('a due run whose leg failed is tried again, once at a time', async (t) => {
    const database = await freshDatabase('swept')
    const told: string[] = []
    const agentsOn = (store: Store) => [sessionAgent(store, told)]
    const { store, stop } = await workerHere({ database, agentsOn })
    const engine = await connectFleet({ database, store })
    const { url } = fleetDatabase(database)
    const client = new Client({ connectionString: url })
    await client.connect()
    t.after(async () => {
      await client.end()
      await engine.close()
      await stop()
    })
    // A leg that is over without having done anything, as after an error that a deploy has mended.
    await engine.resumeDue('gone', 'due-1')
    const legs = async (): Promise<number> =>
      (
        await client.query(
          `select 1 from dbos.workflow_status where workflow_uuid like 'gone:resume:due-1%'`,
        )
      ).rowCount ?? 0
    await engine.resumeDue('gone', 'due-1')
    assert.equal(await legs(), 1, 'one is at work')
    await client.query(
      `update dbos.workflow_status set status = 'ERROR', completed_at = 1
        where workflow_uuid like 'gone:resume:due-1%'`,
    )
    await engine.resumeDue('gone', 'due-1')
    assert.ok((await legs()) >= 2, 'a failed one is followed by another')
  })

  test('a host without power is noticed by the database', async (t) => {
    const connectionString = await freshDatabase('keepalive')
    const client = new Client({ connectionString, options: SERVER_KEEPALIVES })
    await client.connect()
    t.after(() => client.end())
    const { rows } = await client.query('show tcp_keepalives_idle')
    assert.deepEqual(rows, [{ tcp_keepalives_idle: '5' }])
  })

  test('a schema that is not a name is refused', () => {
    assert.throws(() => fleetDatabase('postgres://h/n?schema=a%22;drop'), {
      code: 'INVALID_CONFIG',
    })
  })
})
