import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { systemClock } from 'echelon/runtime'
import { openStore } from '@echelon/store'
import type { Principal } from '../../packages/server/src/access/principal.ts'
import { SharedRecords } from '../../packages/server/src/access/shared-record.ts'
import { Spending } from '../../packages/server/src/access/spending.ts'

const accepts = { sessions: false, history: false, files: false, tools: false, output: false }
const capped = { name: 'capped', maxCost: 0.03, accepts }
const open = { name: 'open', maxCost: null, accepts }
const obedient = { name: 'chat', maxCost: null, accepts: { ...accepts, maxCost: true } }
const free = { name: 'free', maxCost: 0, accepts }

const ada: Principal = { name: 'ada', usdPerDay: 1 }
const NOON = Date.UTC(2026, 10, 22, 12)

/** Each call of `process` is a process of its own on the same store. */
function day(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  let now = NOON
  const clock = { ...systemClock, now: () => now }
  return {
    pass: (ms: number) => (now += ms),
    process: async () => {
      const store = await openStore(join(folder, 'store.db'))
      t.after(() => store.close())
      const records = new SharedRecords({ memories: store.memories, clock })
      return new Spending({ records, clock })
    },
  }
}

test('a hold takes its money at once, and settling returns what was not spent', async (t) => {
  const spending = await day(t).process()
  const hold = await spending.hold(ada, { run: 'a', agent: obedient })
  assert.equal(hold.maxCost, 0.1)
  assert.deepEqual(await spending.spentOn('ada', NOON), { spent: 0, held: 0.1 })
  await hold.settle(0.02)
  await hold.settle(0.09)
  assert.deepEqual(await spending.spentOn('ada', NOON), { spent: 0.02, held: 0 })
  const unknown = await spending.hold(ada, { run: 'b', agent: obedient })
  await unknown.settle(null)
  assert.deepEqual(await spending.spentOn('ada', NOON), { spent: 0.12, held: 0 })
})

test('many runs in several processes spend a day to the cent and no further', async (t) => {
  const { process } = day(t)
  const processes = [await process(), await process(), await process()]
  const user = { name: 'ada', usdPerDay: 1 }
  const granted = await Promise.all(
    Array.from({ length: 90 }, async (_, index) => {
      const spending = processes[index % 3]
      const asked = spending?.hold(user, { run: `run-${index}`, agent: capped })
      return asked?.then(
        async (hold) => {
          await hold.settle(index % 2 === 0 ? 0.03 : null)
          return hold.maxCost ?? 0
        },
        (error: unknown) => {
          assert.match(String(error), /budget of today/)
          return 0
        },
      )
    }),
  )
  const sum = granted.reduce<number>((total, one) => total + (one ?? 0), 0)
  const [first] = processes
  const { spent, held } = (await first?.spentOn('ada', NOON)) ?? { spent: 0, held: 0 }
  assert.ok(Math.abs(sum - spent) < 1e-9, `${sum} ${spent}`)
  assert.equal(held, 0)
  assert.equal(spent, 0.99)
  const last = await first?.hold(user, { run: 'last', agent: obedient })
  assert.equal(last?.maxCost, 0.01)
  await last?.settle(0.01)
  await assert.rejects(async () => first?.hold(user, { run: 'over', agent: obedient }), {
    status: 429,
    code: 'budget_spent',
    retryAfter: 12 * 3600,
  })
})

test('a run of another process is settled with the money that it holds', async (t) => {
  const { process, pass } = day(t)
  const [first, second] = [await process(), await process()]
  await first.hold(ada, { run: 'a', agent: obedient })
  pass(86_400_000)
  const taken = await second.taken('ada', 'a', NOON)
  assert.equal(taken.maxCost, 0.1)
  await taken.settle(0.04)
  assert.deepEqual(await first.spentOn('ada', NOON), { spent: 0.04, held: 0 })
  assert.equal((await first.taken('ada', 'unknown', NOON)).maxCost, null)
})

test('an agent without a known maximum is refused to a user with a budget', async (t) => {
  const spending = await day(t).process()
  await assert.rejects(spending.hold(ada, { run: 'a', agent: open }), { code: 'cost_not_limited' })
  await assert.rejects(
    spending.hold({ name: 'bob', usdPerRun: 0.01 }, { run: 'b', agent: capped }),
    {
      code: 'cost_not_limited',
    },
  )
  assert.equal((await spending.hold({ name: 'cid' }, { run: 'c', agent: open })).maxCost, null)
  const poor = { name: 'dan', usdPerDay: 0 }
  assert.equal((await spending.hold(poor, { run: 'd', agent: free })).maxCost, 0)
  await assert.rejects(spending.hold(poor, { run: 'e', agent: obedient }), { code: 'budget_spent' })
})

test('the next day has its own money', async (t) => {
  const { process, pass } = day(t)
  const spending = await process()
  const user = { ...ada, usdPerRun: 1 }
  await spending.hold(user, { run: 'a', agent: obedient })
  await assert.rejects(spending.hold(user, { run: 'b', agent: obedient }), {
    code: 'budget_held',
    retryAfter: 5,
  })
  pass(86_400_000)
  assert.equal((await spending.hold(user, { run: 'c', agent: obedient })).maxCost, 1)
})
