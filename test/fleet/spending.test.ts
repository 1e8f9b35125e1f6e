import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { SharedRecords } from '../../packages/server/src/access/shared-record.ts'
import { Spending } from '../../packages/server/src/access/spending.ts'
import { systemClock } from 'echelon/runtime'
import { HttpProblem } from '@echelon/server'
import { openStore } from '@echelon/store'
import type { PostgresServer } from '../../toolchain/postgres-server.ts'
import { postgresServer } from '../postgres/server.ts'

const WORKERS = 10
const EACH = 8
const PER_DAY = 1

suite('the money of a principal', { timeout: 60_000 }, () => {
  let postgres: PostgresServer
  before(async () => {
    postgres = await postgresServer()
  })

  test('is not overspent by a cent by ten workers at once', async (t) => {
    const database = await postgres.create('spending')
    const stores = await Promise.all(Array.from({ length: WORKERS }, () => openStore(database)))
    t.after(() => Promise.all(stores.map((store) => store.close())))
    const principal = { name: 'ada', usdPerDay: PER_DAY, usdPerRun: 0.07 }
    const agent = { name: 'chat', maxCost: null, accepts: { ...ACCEPTS, maxCost: true } }
    const spendings = stores.map(
      ({ memories }) =>
        new Spending({
          records: new SharedRecords({ memories, clock: systemClock }),
          clock: systemClock,
        }),
    )
    let granted = 0
    let refused = 0
    const work = async (spending: Spending, worker: number): Promise<void> => {
      for (let n = 0; n < EACH; n++) {
        try {
          const hold = await spending.hold(principal, { run: `run-${worker}-${n}`, agent })
          granted += hold.maxCost ?? 0
          await hold.settle(hold.maxCost)
        } catch (error) {
          if (!(error instanceof HttpProblem) || error.status !== 429) throw error
          refused++
        }
      }
    }
    await Promise.all(spendings.map(work))
    const { spent, held } = (await spendings[0]?.spentOn('ada', Date.now())) ?? {}
    assert.equal(held, 0)
    assert.ok(refused > 0, 'more was asked for than there was')
    assert.equal(spent, PER_DAY, 'the last run was given the rest')
    assert.ok(Math.abs(granted - PER_DAY) < 1e-9)
  })
})

const ACCEPTS = { sessions: true, history: false, files: false, tools: false, output: false }
