import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectFleet, type FleetLimits } from '@echelon/fleet'
import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'
import { IS_WHOLE, SEED } from '../share.ts'
import { freshDatabase } from './fresh-database.ts'
import { Crew } from './crew.ts'
import { loadAhead } from './worker-pool.ts'

const TIMES = IS_WHOLE ? 60 : 15
const LIMITS: readonly (readonly [string, FleetLimits])[] = [
  ['', {}],
  [', with a limit of their user', { principals: { ada: { atOnce: 2 } } }],
]

const runOf = (key: string): string => key.slice(0, key.indexOf(':'))

suite('races for admission', { timeout: 300_000 }, () => {
  before(() => loadAhead(2))

  for (const [how, limits] of LIMITS) {
    test(`the next message of a session comes while its leg ends${how}`, async (t) => {
      const random = seededRandom(SEED)
      const crew = await Crew.on(t, await freshDatabase(`next${how.length}`), limits)
      await Promise.all(['one', 'two'].map((name) => crew.hire(name)))
      const runs = Array.from({ length: TIMES }, (_, n) => `run-${String(n).padStart(2, '0')}`)
      for (const [nth, run] of runs.entries()) {
        await crew.order(run, { steps: 1, ms: 0 }, { session: 'ada/busy/s' })
        // Until the leg before it has acted, and a moment that ends before, while or after its record does.
        while (crew.actions.length < nth) await wait(1)
        await wait(random() * 40)
      }
      for (const run of runs) await crew.until(run, 'ended')
      assert.deepEqual(crew.actions.map(runOf), runs)
      for (const run of runs)
        assert.equal((await crew.store.runs.find(run))?.status, 'finished', run)
    })

    test(`two clients use one key while one of them cancels it${how}`, async (t) => {
      const random = seededRandom(SEED)
      const database = await freshDatabase(`key${how.length}`)
      const crew = await Crew.on(t, database, limits)
      const other = await connectFleet({ database, store: crew.store, limits })
      t.after(() => other.close())
      await Promise.all(['one', 'two'].map((name) => crew.hire(name)))
      const runs = Array.from({ length: TIMES }, (_, n) => `run-${n}`)
      const canceled = new Set<string>()
      const race = async (run: string): Promise<void> => {
        await crew.order(run, { steps: 3, ms: 20 })
        const again = wait(random() * 60).then(() => crew.order(run, { steps: 3, ms: 20 }))
        const cancel = wait(random() * 150).then(() => other.cancel(run))
        await again
        if (await cancel) canceled.add(run)
        await crew.order(run, { steps: 3, ms: 20 })
      }
      for (const run of runs) await race(run)
      for (const run of runs) await crew.until(run, 'ended')
      assert.equal(new Set(crew.actions).size, crew.actions.length, 'no action is done twice')
      const begun = new Set(crew.actions.map(runOf))
      for (const run of runs) {
        const status = (await crew.store.runs.find(run))?.status
        if (!canceled.has(run)) assert.equal(status, 'finished', run)
        // It never began, or it was canceled, or its last step was done already.
        else if (status === undefined) assert.ok(!begun.has(run), `${run} did not begin`)
        else assert.ok(status === 'canceled' || status === 'finished', `${run}: ${status}`)
      }
      assert.ok(canceled.size > 0)
      t.diagnostic(`${canceled.size} of ${runs.length} canceled, ${begun.size} begun`)
    })
  }
})
