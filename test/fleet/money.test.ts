import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { connectFleet } from '@echelon/fleet'
import { createServer, HttpProblem } from '@echelon/server'
import { openStore } from '@echelon/store'
import { EchelonError, type Engine } from 'echelon/runtime'
import { scripted } from '../server/served.ts'
import { freshDatabase } from './fresh-database.ts'
import { asObject } from './kit.ts'

const ADA = { name: 'ada', usdPerDay: 1, usdPerRun: 0.5 }

suite('the money of an ordered run', { timeout: 300_000 }, () => {
  /** A server on real queues, some of whose answers are lost. */
  async function serverOn(
    t: { after(fn: () => Promise<void>): void },
    name: string,
    change: (engine: Engine) => Partial<Engine> = () => ({}),
  ) {
    const database = await freshDatabase(name)
    const store = await openStore(database)
    const engine = await connectFleet({ database, store })
    const bound = asObject(engine)
    const server = createServer({
      agents: [scripted(store, ['Done.'])],
      store,
      engine: { ...bound, ...change(bound) },
    })
    t.after(async () => {
      await server.stop()
      await engine.close()
      await store.close()
    })
    const agent = server.hub.agent('chat', ADA)
    const held = async (): Promise<number> =>
      (await server.context.spending.spentOn('ada', Date.now())).held
    return { server, engine, agent, held, store }
  }

  test('stays taken if the answer to its order is lost once', async (t) => {
    let tries = 0
    const { server, agent, held, engine } = await serverOn(t, 'once', (queues) => ({
      async start(order) {
        await queues.start(order)
        if (++tries === 1) throw new Error('the connection ended')
      },
    }))
    const run = await server.hub.start(agent, { text: 'Go' }, { principal: ADA })
    assert.equal((await engine.status(run.id))?.type, 'queued')
    assert.equal(await held(), 0.5)
  })

  test('stays taken if no answer comes at all', async (t) => {
    const { server, agent, held } = await serverOn(t, 'never', (queues) => ({
      async start(order) {
        await queues.start(order)
        throw new EchelonError('STORE_UNUSABLE', 'the connection ended')
      },
    }))
    const started = server.hub.start(agent, { text: 'Go' }, { principal: ADA })
    await assert.rejects(started, (error) => error instanceof HttpProblem && error.status === 503)
    assert.equal(await held(), 0.5)
  })

  test('is returned if the run is canceled in its queue, although its server is gone', async (t) => {
    const { server, agent, held, store, engine } = await serverOn(t, 'canceled')
    const { id } = await server.hub.start(agent, { text: 'Go' }, { principal: ADA })
    await server.stop()
    assert.equal(await held(), 0.5)
    const other = createServer({ agents: [scripted(store, ['Done.'])], store, engine })
    t.after(() => other.stop())
    assert.equal(await other.hub.cancel(id, ADA), true)
    assert.equal(await held(), 0)
  })
})
