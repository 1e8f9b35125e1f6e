import assert from 'node:assert/strict'
import type { ResultStore } from '../../../core/store/result-store.ts'
import { casesOf, type ContractCase, JSON_VALUES, ODD_NAMES } from '../../contract.ts'

/** Test actions on a result store besides those of a program. */
export interface ResultStoreTrial {
  /** The same results, opened by another process. Adds cases. */
  readonly another?: (store: ResultStore) => ResultStore | Promise<ResultStore>
  /**
   * Makes other processes treat the store's process as dead. Adds cases, together with `another`.
   */
  readonly lapse?: (store: ResultStore) => void | Promise<void>
}

type Open = () => ResultStore | Promise<ResultStore>

/**
 * The requirements of every `ResultStore`: `for (const { name, holds } of resultStoreContract(open,
 * trial)) test(name, holds)`.
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
    caseOf('an unused key is claimed with the given run', async (store) => {
      assert.deepEqual(await store.claim('k', 'input', 'r1'), { type: 'yours', run: 'r1' })
    }),
    caseOf('of concurrent claims one executes, and the others wait for its run', async (store) => {
      const runs = Array.from({ length: 10 }, (_, nth) => `r${nth}`)
      const claims = await Promise.all(runs.map(async (run) => store.claim('k', 'input', run)))
      const first = claims.find(({ type }) => type === 'yours')
      assert.ok(first?.type === 'yours', 'one of the claims must be yours')
      const others = claims.filter((claim) => claim !== first)
      for (const other of others) {
        assert.deepEqual(other, { type: 'under-way', run: first.run })
      }
    }),
    caseOf('another input for a key is refused, before and after it settles', async (store) => {
      await store.claim('k', 'one', 'r1')
      assert.deepEqual(await store.claim('k', 'two', 'r2'), { type: 'other-input' })
      await store.settle('k', 1)
      assert.deepEqual(await store.claim('k', 'two', 'r2'), { type: 'other-input' })
      // Texts with equal beginnings or equal lengths.
      const long = 'x'.repeat(100_000)
      await store.claim('long', `${long}a`, 'r3')
      assert.deepEqual(await store.claim('long', `${long}b`, 'r4'), { type: 'other-input' })
    }),
    caseOf('keys with any text are distinct', async (store) => {
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
    caseOf('a result of any kind is returned to every caller', async (store) => {
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
    caseOf('after a release the next claim executes with any input', async (store) => {
      await store.claim('k', 'one', 'r1')
      await store.release('k')
      assert.deepEqual(await store.claim('k', 'two', 'r2'), { type: 'yours', run: 'r2' })
      await store.settle('k', 2)
      const claim = await store.claim('k', 'two', 'r3')
      assert.deepEqual(claim, { type: 'done', run: 'r2', result: 2 })
    }),
    caseOf('a left key goes to the next claim, with the same run', async (store) => {
      await store.claim('k', 'input', 'r1')
      await store.leave('k')
      assert.deepEqual(await store.claim('k', 'other', 'r2'), { type: 'other-input' })
      assert.deepEqual(await store.claim('k', 'input', 'r2'), { type: 'yours', run: 'r1' })
      await store.settle('k', 1)
      // Leaving a finished or unclaimed key changes nothing.
      await store.leave('k')
      await store.leave('unknown')
      const claim = await store.claim('k', 'input', 'r3')
      assert.deepEqual(claim, { type: 'done', run: 'r1', result: 1 })
    }),
    caseOf('only the holder settles a key, and a result stays', async (store) => {
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
  casesOf(open)('other processes see claims and results at once', async (store) => {
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
  casesOf(open)('the next claim continues the run of a dead process', async (store) => {
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
  casesOf(open)('a process considered dead can no longer settle', async (store) => {
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
