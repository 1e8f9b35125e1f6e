import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheContract } from '../../testing/contract/store/cache-contract.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { memoryCache } from './memory-cache.ts'

const open = () => {
  const clock = new SetClock()
  return { store: memoryCache({ clock }), pass: (ms: number) => clock.advance(ms) }
}

for (const { name, holds } of cacheContract(open)) test(`[C-25] in memory: ${name}`, holds)

test('[C-25] above its maximum of entries it drops the least recently used one', async () => {
  const store = memoryCache({ clock: new SetClock(), maxEntries: 2 })
  await store.set('a', 1, 1000)
  await store.set('b', 2, 1000)
  await store.get('a')
  await store.set('c', 3, 1000)
  const kept = await Promise.all(['a', 'b', 'c'].map((key) => store.get(key)))
  assert.deepEqual(kept, [1, undefined, 3])
})

test('[C-25] above its maximum of bytes too, and a larger entry is not kept', async () => {
  const store = memoryCache({ clock: new SetClock(), maxBytes: 30 })
  await store.set('a', 'x'.repeat(10), 1000)
  await store.set('b', 'x'.repeat(10), 1000)
  await store.set('a', 'y'.repeat(10), 1000)
  assert.equal(await store.get('b'), 'x'.repeat(10))
  await store.set('c', 'ä'.repeat(5), 1000)
  const kept = await Promise.all(['a', 'b', 'c'].map((key) => store.get(key)))
  assert.deepEqual(kept, [undefined, 'x'.repeat(10), 'ä'.repeat(5)])
  await store.set('c', 'x'.repeat(40), 1000)
  assert.equal(await store.get('c'), undefined)
  assert.equal(await store.get('b'), 'x'.repeat(10))
})

test('rejects invalid limits', () => {
  const clock = new SetClock()
  assert.throws(() => memoryCache({ clock, maxEntries: 0 }), { code: 'INVALID_CONFIG' })
  assert.throws(() => memoryCache({ clock, maxBytes: NaN }), { code: 'INVALID_CONFIG' })
})
