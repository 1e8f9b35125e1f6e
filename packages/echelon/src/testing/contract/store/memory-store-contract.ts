import assert from 'node:assert/strict'
import type { Json } from '../../../core/value/json.ts'
import type { MemoryStore } from '../../../core/agent/ports.ts'
import { casesOf, type ContractCase, JSON_VALUES, notCopied, ODD_NAMES } from '../../contract.ts'

/**
 * The requirements of every `MemoryStore`: `for (const { name, holds } of
 * memoryStoreContract(open)) test(name, holds)`. Stores define their own queries, so only `null`,
 * which asks for everything, is tested.
 * @param open a new, empty store for each case
 */
export function memoryStoreContract(
  open: () => MemoryStore | Promise<MemoryStore>,
  { another }: LastingMemories = {},
): readonly ContractCase[] {
  return [
    ...keeping(open),
    ...versions(open),
    ...(another === undefined ? [] : sharing(open, another)),
  ]
}

/** Options for a store that outlives its process. */
export interface LastingMemories {
  /** The same memories, opened by another process. Adds cases. */
  readonly another?: (store: MemoryStore) => MemoryStore | Promise<MemoryStore>
}

type Open = () => MemoryStore | Promise<MemoryStore>

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an unwritten memory is null with version 0', async (store) => {
      await holdsNow(store, null, 0)
    }),
    caseOf('a value of any kind is returned unchanged', async (store) => {
      for (const [nth, value] of JSON_VALUES.entries()) {
        const version = await store.write('m', value, { key: `k${nth}` })
        await holdsNow(store, value, version)
      }
    }),
    caseOf('memories with any name are distinct', async (store) => {
      for (const name of ODD_NAMES) await store.write(name, name, { key: `k-${name}` })
      for (const name of ODD_NAMES) assert.equal((await store.read(name, null)).value, name)
    }),
    caseOf('changes to a written or returned value do not affect the store', async (store) => {
      const mine = { list: [1] }
      await store.write('m', mine, { key: 'a' })
      mine.list.push(2)
      Object.assign(Object((await store.read('m', null)).value), { list: 'changed' })
      const { value } = await store.read('m', null)
      assert.deepEqual(value, { list: [1] }, notCopied('write and read', 'value'))
    }),
  ]
}

function versions(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('each write raises the version', async (store) => {
      const first = await written(store, 1, { key: 'a' })
      const second = await written(store, 1, { key: 'b' })
      assert.ok(second > first)
    }),
    caseOf(
      'a write with a key is done once, and repeating it returns the same result',
      async (store) => {
        const first = await written(store, 'first', { key: 'a' })
        await written(store, 'second', { key: 'b' })
        assert.equal(await written(store, 'first', { key: 'a' }), first)
        assert.equal((await store.read('m', null)).value, 'second')
      },
    ),
    caseOf('a write over the version that was read succeeds', async (store) => {
      const { version } = await store.read('m', null)
      const first = await written(store, 1, { key: 'a', ifVersion: version })
      await written(store, 2, { key: 'b', ifVersion: first })
      assert.equal((await store.read('m', null)).value, 2)
    }),
    caseOf('a write over another version is a conflict and changes nothing', async (store) => {
      const stale = await written(store, 1, { key: 'a' })
      const now = await written(store, 2, { key: 'b' })
      assert.equal(await store.write('m', 3, { key: 'c', ifVersion: stale }), 'conflict')
      assert.equal(await store.write('m', 3, { key: 'd', ifVersion: now + 1 }), 'conflict')
      await holdsNow(store, 2, now)
    }),
    caseOf('repeating a write with its key is not a conflict', async (store) => {
      const first = await written(store, 1, { key: 'a', ifVersion: 0 })
      assert.equal(await written(store, 1, { key: 'a', ifVersion: 0 }), first)
    }),
    caseOf('of concurrent writes over one version exactly one succeeds', async (store) => {
      const write = async (nth: number): Promise<number | 'conflict'> =>
        await store.write('m', nth, { key: `k${nth}`, ifVersion: 0 })
      const versions = await Promise.all([1, 2, 3].map(write))
      assert.equal(
        versions.filter((version) => version === 'conflict').length,
        2,
        'two of three writes with the same ifVersion must conflict: compare and write atomically',
      )
    }),
  ]
}

const sharing = (
  open: Open,
  another: NonNullable<LastingMemories['another']>,
): readonly ContractCase[] => [
  casesOf(open)('another process reads and overwrites the value', async (store) => {
    const other = await another(store)
    for (const [nth, value] of JSON_VALUES.entries()) {
      const version = await store.write('m', value, { key: `k${nth}` })
      await holdsNow(other, value, version)
    }
    const { version } = await other.read('m', null)
    const next = await written(other, 'theirs', { key: 'other', ifVersion: version })
    await holdsNow(store, 'theirs', next)
    assert.equal(await store.write('m', 'mine', { key: 'mine', ifVersion: version }), 'conflict')
  }),
  casesOf(open)('a write repeated by another process is not done again', async (store) => {
    const first = await written(store, 1, { key: 'a' })
    const stale = await store.write('m', 9, { key: 'b', ifVersion: first + 1 })
    await written(store, 2, { key: 'c' })
    const other = await another(store)
    assert.equal(await written(other, 1, { key: 'a' }), first)
    assert.equal(await other.write('m', 9, { key: 'b', ifVersion: first + 1 }), stale)
    assert.equal((await other.read('m', null)).value, 2)
  }),
]

/** A store may return more fields than these two. */
async function holdsNow(
  store: MemoryStore,
  value: Json,
  version: number | 'conflict',
): Promise<void> {
  const now = await store.read('m', null)
  assert.deepEqual([now.value, now.version], [value, version])
}

async function written(
  store: MemoryStore,
  value: Json,
  options: Parameters<MemoryStore['write']>[2],
): Promise<number> {
  const version = await store.write('m', value, options)
  assert.ok(version !== 'conflict', 'there is no conflict')
  return version
}
