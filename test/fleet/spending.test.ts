import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { SharedRecords } from '../../packages/server/src/access/shared-record.ts'
import { Spending } from '../../packages/server/src/access/spending.ts'
import { systemClock } from 'echelon/runtime'
import { HttpProblem } from '@echelon/server'
import { openStore } from '@echelon/store'
import { z } from 'zod'
import { fileOf } from '../programs.ts'
import { IS_WHOLE } from '../share.ts'
import { freshDatabase } from './fresh-database.ts'
import { COST, SPENDER } from './spender-process.ts'

const WORKERS = 10
const EACH = 8
const PER_DAY = 1

/** Each is a server and a worker. */
const PROCESSES = IS_WHOLE ? 10 : 4

const spent = z.object({ paid: z.array(z.string()), refused: z.number() })

/** Waits for the next message of a process. */
function sent(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`it ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message)
    })
  })
}

suite('the money of a principal', { timeout: 300_000 }, () => {
  test('is not overspent by a cent by ten workers at once', async (t) => {
    const database = await freshDatabase('spending')
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

  test(`is spent by ${PROCESSES} processes with real workers to the last run that it pays`, async (t) => {
    const database = await freshDatabase('processes')
    const store = await openStore(database)
    const children = Array.from({ length: PROCESSES }, (_, n) =>
      fork(fileOf('fleet/spender-process.ts'), [database, `worker-${n}`], {
        execArgv: ['--conditions=echelon-source', '--no-warnings'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    )
    t.after(async () => {
      for (const child of children) child.kill('SIGKILL')
      await store.close()
    })
    await Promise.all(children.map(sent))
    const results = children.map(sent)
    for (const child of children) child.send('go')
    const all = (await Promise.all(results)).map((result) => spent.parse(result))
    const over = children.map((child) => once(child, 'exit'))
    for (const child of children) child.send('stop')
    await Promise.all(over)
    const paid = all.flatMap((one) => one.paid)
    const refused = all.reduce((sum, one) => sum + one.refused, 0)
    assert.ok(all.filter((one) => one.paid.length > 0).length > 1, 'several of them spent it')
    assert.equal(paid.length, Math.floor(SPENDER.usdPerDay / COST))
    const records = new SharedRecords({ memories: store.memories, clock: systemClock })
    const books = new Spending({ records, clock: systemClock })
    const day = await books.spentOn(SPENDER.name, Date.now())
    assert.equal(day.held, 0, 'what was taken and not spent is returned')
    assert.equal(day.spent, Math.round(paid.length * COST * 1e9) / 1e9)
    t.diagnostic(`${paid.length} runs spent ${day.spent} of 1 dollar; ${refused} had to wait`)
  })
})

const ACCEPTS = { sessions: true, history: false, files: false, tools: false, output: false }
