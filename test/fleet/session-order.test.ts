import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { defineTool } from 'echelon'
import { connectFleet, type FleetEngine } from '@echelon/fleet'
import type { ServedAgent } from '@echelon/server'
import { z } from 'zod'
import { scripted } from '../server/served.ts'
import { freshDatabase } from './fresh-database.ts'
import { type Store, workerHere } from './kit.ts'
import { sessionAgent } from './session-agent.ts'

const SESSION = 'ada/any/s'

const order = (engine: FleetEngine, run: string, agent: string, text: string): Promise<void> =>
  engine.start({
    run,
    task: {
      agent,
      input: { text },
      context: { caller: 'ada', session: SESSION },
      held: { maxCost: null, at: Date.now() },
    },
    principal: 'ada',
    session: SESSION,
  })

async function until(engine: FleetEngine, run: string, place: string): Promise<void> {
  for (;;) {
    const now = await engine.status(run)
    if (now?.type === place) return
    assert.ok(now?.type !== 'failed', `${run} failed`)
    await wait(20)
  }
}

async function untilTold(told: readonly string[], count: number): Promise<void> {
  while (told.length < count) await wait(10)
}

suite('the turns of a session', { timeout: 300_000 }, () => {
  const stepsOf = (...runs: readonly string[]): readonly string[] =>
    runs.flatMap((run) => [0, 1, 2, 3].map((step) => `${run} ${step}`))

  for (const [how, limits] of [
    ['', {}],
    [', with a limit of their user', { principals: { ada: { atOnce: 2 } } }],
  ] as const) {
    test(`keep their order when their worker is stopped${how}`, async (t) => {
      const database = await freshDatabase(`stopped${how.length}`)
      const told: string[] = []
      const parts = { database, limits, agentsOn: (store: Store) => [sessionAgent(store, told)] }
      const first = await workerHere({ ...parts, name: 'first' })
      const engine = await connectFleet({ database, store: first.store, limits })
      for (const run of ['a', 'b', 'c']) await order(engine, run, 'steps', run)
      await untilTold(told, 2)
      await first.worker.stop()
      assert.ok(told.length < 4, 'the first turn is at work')
      const second = await workerHere({ ...parts, name: 'second' })
      t.after(async () => {
        await engine.close()
        await second.stop()
        await first.stop()
      })
      for (const run of ['a', 'b', 'c']) await until(engine, run, 'ended')
      assert.deepEqual(told, stepsOf('a', 'b', 'c'))
    })

    test(`wait for one that sleeps${how}`, async (t) => {
      const database = await freshDatabase(`asleep${how.length}`)
      const told: string[] = []
      const agentsOn = (store: Store): readonly ServedAgent[] => [sessionAgent(store, told)]
      const { store, stop } = await workerHere({ database, limits, agentsOn })
      const engine = await connectFleet({ database, store, limits })
      t.after(async () => {
        await engine.close()
        await stop()
      })
      await order(engine, 'a', 'steps', `a ${Date.now() + 6000}`)
      for (const run of ['b', 'c']) await order(engine, run, 'steps', run)
      await until(engine, 'a', 'waiting')
      for (const run of ['b', 'c']) await until(engine, run, 'ended')
      const [b = ''] = stepsOf('b')
      assert.ok(told.indexOf(b) > told.indexOf('a 3'), told.join(', '))
      assert.deepEqual(
        told.filter((what) => !what.startsWith('a')),
        stepsOf('b', 'c'),
      )
    })
  }

  test('are not lost when their worker is stopped, with an agent that has sessions', async (t) => {
    const database = await freshDatabase('chat')
    const begun = Promise.withResolvers<void>()
    const work = defineTool({
      name: 'work',
      description: 'Works.',
      input: z.object({}),
      run: async () => {
        begun.resolve()
        await wait(700)
        return 'worked'
      },
    })
    const script = [{ toolCalls: [{ tool: 'work', input: {} }] }, 'Worked.', 'Second.', 'Third.']
    const agentsOn = (store: Store): readonly ServedAgent[] => [
      scripted(store, script, { tools: [work] }),
    ]
    const first = await workerHere({ database, agentsOn, name: 'first' })
    const engine = await connectFleet({ database, store: first.store })
    for (const run of ['a', 'b', 'c']) await order(engine, run, 'chat', run)
    await begun.promise
    await first.worker.stop()
    const second = await workerHere({ database, agentsOn, name: 'second' })
    t.after(async () => {
      await engine.close()
      await second.stop()
      await first.stop()
    })
    for (const run of ['a', 'b', 'c']) await until(engine, run, 'ended')
    const runs = await Promise.all(['a', 'b', 'c'].map((run) => second.store.runs.find(run)))
    assert.deepEqual(
      runs.map((run) => run?.status),
      ['finished', 'finished', 'finished'],
    )
    const ended = runs.map((run) => run?.changedAt ?? 0)
    assert.deepEqual(
      ended,
      ended.toSorted((one, other) => one - other),
    )
  })
})
