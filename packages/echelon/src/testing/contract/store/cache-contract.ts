import assert from 'node:assert/strict'
import type { CacheStore } from '../../../core/agent/ports.ts'
import { casesOf, type ContractCase, JSON_VALUES, notCopied, ODD_NAMES } from '../../contract.ts'

/** An empty store, and a way to let its time pass. */
export interface CacheTrial {
  readonly store: CacheStore
  readonly pass: (ms: number) => Promise<void>
}

/** Options for a store that outlives its process. */
export interface LastingCache {
  /** The same entries, opened by another process. Adds a case. */
  readonly another?: (store: CacheStore) => CacheStore | Promise<CacheStore>
}

/**
 * The requirements of every `CacheStore`: `for (const { name, holds } of cacheContract(open))
 * test(name, holds)`.
 * @param open a new, empty store for each case
 */
export function cacheContract(
  open: () => CacheTrial | Promise<CacheTrial>,
  { another }: LastingCache = {},
): readonly ContractCase[] {
  return [
    ...keeping(open),
    ...lasting(open),
    ...(another === undefined ? [] : sharing(open, another)),
  ]
}

type Open = () => CacheTrial | Promise<CacheTrial>

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an unknown key has no value', async ({ store }) => {
      assert.equal(await store.get('a'), undefined)
    }),
    caseOf('a value of any kind is returned unchanged', async ({ store }) => {
      for (const [index, value] of JSON_VALUES.entries()) {
        await store.set(`k${index}`, value, 60_000)
        assert.deepEqual(await store.get(`k${index}`), value)
      }
    }),
    caseOf('a later value replaces an earlier one', async ({ store }) => {
      await store.set('a', 1, 60_000)
      await store.set('a', { two: 2 }, 60_000)
      assert.deepEqual(await store.get('a'), { two: 2 })
    }),
    caseOf('keys with any text are distinct', async ({ store }) => {
      for (const key of ODD_NAMES) {
        await store.set(key, key, 60_000)
        assert.equal(await store.get(key), key)
      }
      // An earlier value may have been evicted, but no key may return another's value.
      for (const key of ODD_NAMES) {
        const kept = await store.get(key)
        assert.ok(kept === undefined || kept === key, key)
      }
    }),
    caseOf('changes to a returned value do not affect the next read', async ({ store }) => {
      await store.set('a', { list: [1] }, 60_000)
      const first = await store.get('a')
      assert.notEqual(first, undefined)
      Object.assign(Object(first), { list: 'changed' })
      const kept = await store.get('a')
      assert.deepEqual(kept, { list: [1] }, notCopied('get', 'value'))
    }),
  ]
}

function lasting(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a value expires after its lifetime and not before', async ({ store, pass }) => {
      await store.set('short', 1, 1000)
      await store.set('long', 2, 60_000)
      await pass(500)
      assert.equal(await store.get('short'), 1)
      await pass(600)
      assert.equal(await store.get('short'), undefined)
      assert.equal(await store.get('long'), 2)
    }),
    caseOf('setting a value again restarts its lifetime', async ({ store, pass }) => {
      await store.set('a', 1, 1000)
      await pass(700)
      await store.set('a', 2, 1000)
      await pass(700)
      assert.equal(await store.get('a'), 2)
    }),
  ]
}

const sharing = (
  open: Open,
  another: NonNullable<LastingCache['another']>,
): readonly ContractCase[] => [
  casesOf(open)(
    'another process gets the value, with the same lifetime',
    async ({ store, pass }) => {
      const other = await another(store)
      for (const [index, value] of JSON_VALUES.entries()) {
        await store.set(`k${index}`, value, 1000, 'session')
        assert.deepEqual(await other.get(`k${index}`), value)
      }
      await other.set('k0', 'changed', 1000)
      assert.equal(await store.get('k0'), 'changed')
      await pass(1100)
      assert.equal(await other.get('k0'), undefined)
    },
  ),
]
