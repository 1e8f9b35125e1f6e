import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addAmounts, type Amounts, exhausted, left, Ledger } from './budget.ts'

/** A bug in the ledger could block a test forever; this limit makes it fail instead. */
const LIMIT = { timeout: 10_000 }

/** Fails after more checks than a correct ledger needs: a ledger that loops would never yield. */
class Bounded extends Ledger {
  #asked = 0

  override reserve(need: Amounts): ReturnType<Ledger['reserve']> {
    if (++this.#asked > 1_000) throw new Error('a reservation is asked for again and again')
    return super.reserve(need)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('holds what fits, and refuses what cannot fit by the name of its limit', LIMIT, async () => {
  const ledger = new Ledger({ tokens: 100, money: 1 })
  const hold = { tokens: 100, money: 0.5 }
  assert.equal(await ledger.reserve(hold), undefined)
  assert.deepEqual(ledger.held, hold)
  ledger.settle(hold, { tokens: 30, money: 0.25 })
  assert.deepEqual(ledger.held, {})
  assert.deepEqual(ledger.spent, { tokens: 30, money: 0.25 })
  assert.equal(await ledger.reserve({ tokens: 71 }), 'tokens')
  assert.equal(await ledger.reserve({ tokens: 70, money: 0.76 }), 'money')
  assert.equal(await ledger.reserve({ tokens: 70, money: 0.75 }), undefined)
})

test(
  'a counter without a limit is counted too, and a limit of 0 allows nothing',
  LIMIT,
  async () => {
    const ledger = new Ledger({ 'calls.big': 0 })
    const hold = { 'calls.small': 1e9 }
    assert.equal(await ledger.reserve(hold), undefined)
    ledger.settle(hold, { 'calls.small': 1 })
    assert.equal(ledger.spent['calls.small'], 1)
    assert.equal(await ledger.reserve({ 'calls.big': 1 }), 'calls.big')
    assert.equal(await ledger.reserve({ 'calls.big': 0 }), undefined)
  },
)

test(
  'a reservation that fits only after others settle waits for them and tries again',
  LIMIT,
  async () => {
    const ledger = new Bounded({ tokens: 10 })
    const hold = { tokens: 8 }
    assert.equal(await ledger.reserve(hold), undefined)
    const answers: (string | undefined)[] = []
    const waiting = [5, 6].map(async (tokens) => answers.push(await ledger.reserve({ tokens })))
    await turn()
    assert.deepEqual(answers, [])
    ledger.settle(hold, { tokens: 5 })
    await Promise.all(waiting)
    assert.deepEqual(answers, [undefined, 'tokens'])
  },
)

test(
  'a reservation that fits next to the held ones does not wait, up to the limit itself',
  LIMIT,
  async () => {
    const ledger = new Bounded({ tokens: 10 })
    assert.equal(ledger.reserve({ tokens: 4 }), undefined)
    assert.equal(ledger.reserve({ tokens: 6 }), undefined)
    assert.deepEqual(ledger.held, { tokens: 10 })
    assert.equal(ledger.reserve({ tokens: 0 }), undefined)
    assert.ok(ledger.reserve({ tokens: 1 }) instanceof Promise)
  },
)

test('a closed ledger books what was held, and ignores later settlements', LIMIT, () => {
  const ledger = new Ledger({ tokens: 10 }, { tokens: 1 })
  const hold = { tokens: 4 }
  assert.equal(ledger.reserve(hold), undefined)
  ledger.close()
  assert.deepEqual(ledger.spent, { tokens: 5 })
  ledger.settle(hold, { tokens: 2 })
  assert.deepEqual(ledger.spent, { tokens: 5 })
})

test('an overrun is booked up to the limit and ends spending', LIMIT, async () => {
  const ledger = new Ledger({ tokens: 10 })
  const hold = { tokens: 4 }
  await ledger.reserve(hold)
  ledger.settle(hold, { tokens: 12 })
  assert.equal(ledger.spent['tokens'], 10)
  assert.equal(await ledger.reserve({ tokens: 1 }), 'tokens')
})

test('an overrun takes nothing from other reservations', LIMIT, async () => {
  const ledger = new Ledger({ tokens: 10 })
  const [one, other] = [{ tokens: 3 }, { tokens: 4 }]
  await ledger.reserve(one)
  await ledger.reserve(other)
  ledger.settle(one, { tokens: 12, 'input.small': 12 })
  assert.deepEqual(ledger.spent, { tokens: 6, 'input.small': 12 })
  ledger.settle(other, other)
  assert.equal(ledger.spent['tokens'], 10)
})

test('a ledger continues from earlier spending and copies the amounts it is given', LIMIT, () => {
  const before = { steps: 2 }
  const ledger = new Ledger({ steps: 3 }, before)
  ledger.spend({ steps: 1 })
  assert.deepEqual(before, { steps: 2 })
  assert.equal(ledger.impossible({ steps: 1 }), 'steps')
  assert.equal(ledger.impossible({}), undefined)
})

test('a snapshot does not change later', LIMIT, () => {
  const ledger = new Ledger({}, { steps: 2 })
  const kept = ledger.snapshot()
  ledger.count('steps', 1)
  ledger.spend({ tokens: 5 })
  assert.deepEqual(kept, { steps: 2 })
  assert.deepEqual(ledger.snapshot(), { steps: 3, tokens: 5 })
})

test(
  'rejects a limit that is not a number of at least 0, since it would limit nothing',
  LIMIT,
  () => {
    for (const limit of [Number.NaN, -1, Infinity]) {
      assert.throws(() => new Ledger({ money: limit }), {
        code: 'INVALID_CONFIG',
        message: /money/,
      })
    }
  },
)

test('the rest is never negative, and infinite without a limit', LIMIT, () => {
  const meter = { spent: { steps: 5, tools: 1 }, limits: { steps: 3, tools: 4 } }
  assert.equal(left(meter, 'steps'), 0)
  assert.equal(left(meter, 'tools'), 3)
  assert.equal(left(meter, 'money'), Infinity)
})

test('exhausted names the first used-up counter in the order asked', LIMIT, () => {
  const meter = { spent: { a: 1, b: 2 }, limits: { a: 1, b: 2, c: 0 } }
  assert.equal(exhausted(meter, ['b', 'a']), 'b')
  assert.equal(exhausted(meter, ['c']), 'c')
  assert.equal(exhausted(meter, ['free']), undefined)
})

test('addAmounts adds in place, new counters included', LIMIT, () => {
  const to = { a: 1 }
  addAmounts(to, { a: 2, b: 3 })
  assert.deepEqual(to, { a: 3, b: 3 })
})

interface Wish {
  readonly need: Record<string, number>
  /** The share of the reservation, in eighths, that is actually used. */
  readonly takes: number
  /** Event loop turns before it reserves, and before it settles. */
  readonly after: number
  readonly lasts: number
}

const wish: fc.Arbitrary<Wish> = fc.record({
  need: fc.record(
    { tokens: fc.integer({ min: 0, max: 64 }), money: fc.integer({ min: 0, max: 16 }) },
    { requiredKeys: [] },
  ),
  takes: fc.integer({ min: 0, max: 8 }),
  after: fc.integer({ min: 0, max: 3 }),
  lasts: fc.integer({ min: 0, max: 3 }),
})

test(
  'in any interleaving no limit is exceeded and no reservation waits forever',
  LIMIT,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wish, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 128 }),
        fc.integer({ min: 0, max: 32 }),
        async (wishes, tokens, money) => {
          const ledger = new Bounded({ tokens, money })
          const within = (): void => {
            for (const [counter, limit] of Object.entries(ledger.limits)) {
              const taken = (ledger.spent[counter] ?? 0) + (ledger.held[counter] ?? 0)
              assert.ok(taken <= limit, `${counter}: ${taken} of ${limit}`)
            }
          }
          const live = async ({ need, takes, after, lasts }: Wish): Promise<boolean> => {
            for (let i = 0; i < after; i++) await Promise.resolve()
            if ((await ledger.reserve(need)) !== undefined) return false
            within()
            for (let i = 0; i < lasts; i++) await Promise.resolve()
            const actual = Object.fromEntries(
              Object.entries(need).map(([counter, amount]) => [counter, (amount * takes) / 8]),
            )
            ledger.settle(need, actual)
            within()
            return true
          }
          const over = Promise.all(wishes.map(live))
          const stuck = turn()
            .then(turn)
            .then(turn)
            .then(() => 'stuck' as const)
          const all = await Promise.race([over, stuck])
          assert.notEqual(all, 'stuck')
          for (const held of Object.values(ledger.held)) assert.equal(held, 0)
        },
      ),
      { numRuns: 300 },
    )
  },
)
