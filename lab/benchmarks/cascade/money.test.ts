import assert from 'node:assert/strict'
import { mock, suite, test } from 'node:test'
import { type Amounts, Ledger } from '../../../packages/echelon/src/core/agent/budget.ts'
import { runSchedules } from './money.ts'

/** The long tests use another seed for each run, and more schedules. */
const SEED = Number(process.env['SEED'] ?? 1)
/** Enough that each fault occurs. */
const SCHEDULES = Number(process.env['SCHEDULES'] ?? 600)

suite('random schedules of faults', () => {
  test(`[R21.2] spend no more than their limits, in all of ${SCHEDULES}`, async (context) => {
    context.diagnostic(`SEED=${SEED} SCHEDULES=${SCHEDULES}`)
    const tally = await runSchedules({ seed: SEED, count: SCHEDULES })
    assert.deepEqual(tally.found, [])
    for (const fault of FAULTS) assert.ok(tally.of(`fault: ${fault}`) > 0, fault)
    for (const limit of ['money', 'tokens', 'calls', 'tools', 'seconds']) {
      assert.ok(tally.of(`reached: ${limit}`) > 0, limit)
    }
    for (const what of ['repeated', 'at once']) assert.ok(tally.of(what) > SCHEDULES / 50, what)
  })

  test('are the same for the same seed', async () => {
    const [once, again] = [
      await runSchedules({ seed: 7, count: 60 }),
      await runSchedules({ seed: 7, count: 60 }),
    ]
    assert.equal(once.printed(), again.printed())
  })
})

const FAULTS = [
  'rate limit',
  'request refused',
  'server not reached',
  'server error',
  'connection lost',
  'no answer in time',
  'stream cut',
  'usage too low',
  'usage too high',
  'usage absent',
  'usage 0',
  'usage negative',
  'usage NaN',
  'usage infinite',
  'usage a fraction',
  'price unknown',
  'tool failed',
  'run canceled',
  'second opinions',
  'parallel children',
  'several models at once',
]

/** Books of each amount only what `keeps` lets through. */
function bookOnly(keeps: (counter: string, amounts: Amounts) => boolean): void {
  mock.method(Ledger.prototype, 'spend', function (this: Ledger, amounts: Amounts): void {
    for (const [counter, amount] of Object.entries(amounts)) {
      if (keeps(counter, amounts)) this.count(counter, amount)
    }
  })
}

/** Amounts of a model call that was not answered, or whose usage is not known. */
const isUnanswered = (amounts: Amounts): boolean => {
  const counters = Object.keys(amounts)
  const has = (prefix: string): boolean => counters.some((counter) => counter.startsWith(prefix))
  return has('calls.') && !has('output.')
}

/** Ledgers with one fault each. */
const MUTANTS: Readonly<Record<string, () => void>> = {
  'a ledger that forgets a failed attempt once it is tried again': () =>
    bookOnly((_counter, amounts) => !isUnanswered(amounts)),
  'a ledger that charges a cut answer at nothing': () =>
    bookOnly((counter, amounts) => counter.startsWith('calls.') || !isUnanswered(amounts)),
  'a ledger that overlooks requests under way': () => {
    mock.getter(Ledger.prototype, 'held', () => ({}))
  },
}

suite('a planted fault is found by the same schedules:', () => {
  for (const [fault, plant] of Object.entries(MUTANTS)) {
    test(fault, async (context) => {
      context.after(() => mock.restoreAll())
      plant()
      const tally = await runSchedules({ seed: 1, count: 600 })
      assert.ok(tally.found.length > 0)
      context.diagnostic(`${tally.found.length}: ${tally.found[0]?.ran.violations[0]}`)
    })
  }
})
