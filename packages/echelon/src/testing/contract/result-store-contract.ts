import assert from 'node:assert/strict'
import type { ResultStore } from '../../core/store/result-store.ts'
import { casesOf, type ContractCase, JSON_VALUES, ODD_NAMES } from '../contract.ts'

/** What a test can do with a store of results besides what a program does. */
export interface ResultStoreTrial {
  /** The same results, as another process has them. Adds cases. */
  readonly another?: (store: ResultStore) => ResultStore | Promise<ResultStore>
  /** Has others take the store's process for dead. Adds cases, together with `another`. */
  readonly lapse?: (store: ResultStore) => void | Promise<void>
}

type Open = () => ResultStore | Promise<ResultStore>

/**
 * What every `ResultStore` must do:
 * `for (const { name, holds } of resultStoreContract(open, trial)) test(name, holds)`.
 * @param open a new, empty store for each case
 */
export function resultStoreContract(
  open: Open,
  { another, lapse }: ResultStoreTrial = {},
): readonly ContractCase[] {
  return [
    ...claiming(open),
    ...settling(open),
    ...(another === undefined ? [] : sharing(open, another)),
    ...(another === undefined || lapse === undefined ? [] : dying(open, { another, lapse })),
  ]
}

function claiming(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a key that nobody used is yours, with the run that was named', async (store) => {
      assert.deepEqual(await store.claim('k', 'input', 'r1'), { type: 'yours', run: 'r1' })
    }),
    caseOf('of claims at once one executes, and the others wait for its run', async (store) => {
      const runs = Array.from({ length: 10 }, (_, nth) => `r${nth}`)
      const claims = await Promise.all(runs.map(async (run) => store.claim('k', 'input', run)))
      const first = claims.find(({ type }) => type === 'yours')
      assert.ok(first?.type === 'yours', 'one of the claims must be yours')
      const others = claims.filter((claim) => claim !== first)
      for (const other of others) {
        assert.deepEqual(other, { type: 'under-way', run: first.run })
      }
    }),
    caseOf('another input under a key is refused, before its end and after', async (store) => {
      await store.claim('k', 'one', 'r1')
      assert.deepEqual(await store.claim('k', 'two', 'r2'), { type: 'other-input' })
      await store.settle('k', 1)
      assert.deepEqual(await store.claim('k', 'two', 'r2'), { type: 'other-input' })
      // Texts that are alike for their beginning, or for their length.
      const long = 'x'.repeat(100_000)
      await store.claim('long', `${long}a`, 'r3')
      assert.deepEqual(await store.claim('long', `${long}b`, 'r4'), { type: 'other-input' })
    }),
    caseOf('keys of any text are told apart', async (store) => {
      for (const key of ODD_NAMES) {
        assert.deepEqual(await store.claim(key, 'input', key), { type: 'yours', run: key })
        await store.settle(key, key)
      }
      for (const key of ODD_NAMES) {
        const claim = await store.claim(key, 'input', 'other')
        assert.deepEqual(claim, { type: 'done', run: key, result: key })
      }
    }),
  ]
}

function settling(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a result comes back to all who ask, whatever its kind', async (store) => {
      for (const [nth, result] of JSON_VALUES.entries()) {
        const key = `k${nth}`
        await store.claim(key, 'input', 'r1')
        await store.settle(key, result)
        for (const run of ['r2', 'r3']) {
          const claim = await store.claim(key, 'input', run)
          assert.deepEqual(claim, { type: 'done', run: 'r1', result })
        }
      }
    }),
    caseOf(
      'what is released was never used: the next executes, whatever it asks',
      async (store) => {
        await store.claim('k', 'one', 'r1')
        await store.release('k')
        assert.deepEqual(await store.claim('k', 'two', 'r2'), { type: 'yours', run: 'r2' })
        await store.settle('k', 2)
        const claim = await store.claim('k', 'two', 'r3')
        assert.deepEqual(claim, { type: 'done', run: 'r2', result: 2 })
      },
    ),
    caseOf('a key that is left is for the next one, with the same run', async (store) => {
      await store.claim('k', 'input', 'r1')
      await store.leave('k')
      assert.deepEqual(await store.claim('k', 'other', 'r2'), { type: 'other-input' })
      assert.deepEqual(await store.claim('k', 'input', 'r2'), { type: 'yours', run: 'r1' })
      await store.settle('k', 1)
      // What is done, or was never claimed, is not left.
      await store.leave('k')
      await store.leave('unknown')
      const claim = await store.claim('k', 'input', 'r3')
      assert.deepEqual(claim, { type: 'done', run: 'r1', result: 1 })
    }),
    caseOf('only whoever holds a key settles it, and a result stays', async (store) => {
      await assert.rejects(async () => await store.settle('k', 1))
      await store.claim('k', 'input', 'r1')
      await store.settle('k', 1)
      await assert.rejects(async () => await store.settle('k', 2))
      await assert.rejects(async () => await store.release('k'))
      const claim = await store.claim('k', 'input', 'r2')
      assert.deepEqual(claim, { type: 'done', run: 'r1', result: 1 })
    }),
  ]
}

const sharing = (
  open: Open,
  another: NonNullable<ResultStoreTrial['another']>,
): readonly ContractCase[] => [
  casesOf(open)('what one process claims and settles others see at once', async (store) => {
    const other = await another(store)
    await store.claim('k', 'input', 'r1')
    assert.deepEqual(await other.claim('k', 'input', 'r2'), { type: 'under-way', run: 'r1' })
    await assert.rejects(async () => await other.settle('k', 2))
    await store.settle('k', 1)
    const claim = await other.claim('k', 'input', 'r2')
    assert.deepEqual(claim, { type: 'done', run: 'r1', result: 1 })
    assert.deepEqual(await other.claim('k', 'else', 'r2'), { type: 'other-input' })
  }),
]

const dying = (
  open: Open,
  { another, lapse }: Required<ResultStoreTrial>,
): readonly ContractCase[] => [
  casesOf(open)('of a process that died the next goes on with its run', async (store) => {
    const other = await another(store)
    await store.claim('k', 'input', 'r1')
    await store.claim('done', 'input', 'r2')
    await store.settle('done', 2)
    await lapse(store)
    assert.deepEqual(await other.claim('k', 'input', 'r3'), { type: 'yours', run: 'r1' })
    assert.deepEqual(await other.claim('done', 'input', 'r3'), {
      type: 'done',
      run: 'r2',
      result: 2,
    })
  }),
  casesOf(open)('a process that was taken for dead settles nothing any more', async (store) => {
    const other = await another(store)
    await store.claim('k', 'input', 'r1')
    await lapse(store)
    await other.claim('k', 'input', 'r2')
    await assert.rejects(async () => await store.settle('k', 'stale'))
    await assert.rejects(async () => await store.release('k'))
    assert.equal((await store.claim('k', 'input', 'r3')).type, 'under-way')
    await other.settle('k', 'fresh')
    const claim = await store.claim('k', 'input', 'r3')
    assert.deepEqual(claim, { type: 'done', run: 'r1', result: 'fresh' })
  }),
]
