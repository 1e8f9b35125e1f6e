import type { EventStore } from '../core/store/event-store.ts'
import type { CacheStore, MemoryStore } from '../core/agent/ports.ts'
import type { ResultStore } from '../core/store/result-store.ts'
import { Rows } from '../../../store/src/sqlite/rows-in-tests.ts'
import { openStore } from '../../../store/src/sqlite/in-tests.ts'
import type { SqliteStore } from '../../../store/src/sqlite-store.ts'
import { cacheContract } from './contract/store/cache-contract.ts'
import type { ContractCase } from './contract.ts'
import { eventStoreContract } from './contract/store/event-store-contract.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { memoryStoreContract } from './contract/store/memory-store-contract.ts'
import { resultStoreContract } from './contract/store/result-store-contract.ts'
import { SetClock } from './set-clock.ts'

// --- results

const clock = new SetClock()
const LEASE_MS = 30_000

const openAt = (path: string): Promise<SqliteStore> => openStore(path, { clock, leaseMs: LEASE_MS })

type BrokenResults = (good: ResultStore, rows: Rows) => Partial<ResultStore>

const parts = new WeakMap<ResultStore, { readonly path: string; readonly broken: BrokenResults }>()

async function resultsAt(path: string, broken: BrokenResults): Promise<ResultStore> {
  const whole = await openAt(path)
  const { results: good } = whole
  const store: ResultStore = {
    claim: (...asked) => good.claim(...asked),
    settle: (...asked) => good.settle(...asked),
    release: (key) => good.release(key),
    leave: (key) => good.leave(key),
    ...broken(good, await Rows.of(whole, clock)),
  }
  parts.set(store, { path: whole.path, broken })
  return store
}

const results =
  (broken: BrokenResults = () => ({})) =>
  () =>
    resultsAt(':memory:', broken)

holdsAndFails<() => Promise<ResultStore>>(
  'a store of results',
  (open) =>
    resultStoreContract(open, {
      another(store) {
        const { path, broken } = parts.get(store) ?? { path: ':memory:', broken: () => ({}) }
        return resultsAt(path, broken)
      },
      lapse: () => clock.advance(LEASE_MS + 1),
    }),
  results(),
  {
    'an unused key is claimed with the given run': results((good) => ({
      claim: (key, input) => good.claim(key, input, 'a new run'),
    })),
    'of concurrent claims one executes, and the others wait for its run': results(() => ({
      claim: async (_key, _input, run) => ({ type: 'yours', run }),
    })),
    'another input for a key is refused, before and after it settles': results((good) => ({
      claim: (key, input, run) => good.claim(key, input.slice(0, 1000), run),
    })),
    'keys with any text are distinct': results((good) => ({
      claim: (key, ...more) => good.claim(key.toLowerCase(), ...more),
      settle: (key, result) => good.settle(key.toLowerCase(), result),
    })),
    'a result of any kind is returned to every caller': results((good) => ({
      settle: (key, result) => good.settle(key, result === '' ? null : result),
    })),
    'after a release the next claim executes with any input': results((good) => ({
      release: (key) => good.leave(key),
    })),
    'a left key goes to the next claim, with the same run': results((good, rows) => ({
      leave: async (key) => {
        await good.leave(key)
        rows.run('delete from results where key = ? and result_json is null', key)
      },
    })),
    'only the holder settles a key, and a result stays': results((good) => ({
      settle: (key, result) => good.settle(key, result).catch(() => undefined),
    })),
    'other processes see claims and results at once': results(() => {
      const own = openAt(':memory:')
      return {
        claim: async (...asked) => (await own).results.claim(...asked),
        settle: async (...asked) => (await own).results.settle(...asked),
      }
    }),
    'the next claim continues the run of a dead process': results((good) => ({
      async claim(key, input, run) {
        const claim = await good.claim(key, input, run)
        return claim.type === 'yours' ? { ...claim, run } : claim
      },
    })),
    'a process considered dead can no longer settle': results((good, rows) => ({
      async settle(key, result) {
        if (rows.all('select 1 from results where key = ?', key).length === 0)
          await good.settle(key, result)
        rows.run('update results set result_json = ? where key = ?', JSON.stringify(result), key)
      },
    })),
  },
)

// --- events

type BrokenEvents = (good: EventStore) => Partial<EventStore>

const events =
  (broken: BrokenEvents = () => ({})) =>
  async (): Promise<EventStore> => {
    const { events: good } = await openAt(':memory:')
    return {
      listener: good.listener,
      read: (...asked) => good.read(...asked),
      flush: () => good.flush(),
      ...broken(good),
    }
  }

holdsAndFails<() => Promise<EventStore>>(
  'a store of events',
  (open) =>
    eventStoreContract(open, {
      another: (store) => ({ ...store, listener: { ...store.listener } }),
    }),
  events(),
  {
    'an unknown run has no events': events((good) => ({
      read: async (...asked) => {
        const read = await good.read(...asked)
        if (read.length === 0) throw new Error('there is no such run')
        return read
      },
    })),
    'events are returned unchanged, in order, counted from 1': events((good) => ({
      read: async (...asked) => (await good.read(...asked)).toReversed(),
    })),
    'reading continues after the last seen event': events((good) => ({
      read: (run, after = 0, limit) => good.read(run, Math.max(0, after - 1), limit),
    })),
    'at most a thousand events are returned at once, unless more are requested': events((good) => ({
      read: (run, after, limit = Infinity) => good.read(run, after, limit),
    })),
    'runs with any ids are distinct': events((good) => ({
      listener: { ...good.listener, hear: (event, run) => good.listener.hear(event, run.trim()) },
      read: (run, ...more) => good.read(run.trim(), ...more),
    })),
    'stream parts are not stored': events((good) => ({
      listener: { hear: (event, run) => good.listener.hear(event, run) },
    })),
    'an event of any size does not affect others': events((good) => ({
      listener: {
        ...good.listener,
        hear(event, run) {
          if (JSON.stringify(event).length > 1_000_000) throw new Error('too large')
          good.listener.hear(event, run)
        },
      },
    })),
    'other processes read flushed events and continue their count': events((good) => {
      const held: string[] = []
      return {
        listener: {
          ...good.listener,
          hear(event, run) {
            held.push(run)
            good.listener.hear(event, run)
          },
        },
        read: async (run, after, limit) =>
          held.splice(0).length > 0 ? [] : await good.read(run, after, limit),
      }
    }),
  },
)

// --- what a cache and memories keep for other processes

/** Only the cases that a second process adds. */
const added = (
  all: readonly ContractCase[],
  without: readonly ContractCase[],
): readonly ContractCase[] => all.filter(({ name }) => !without.some((one) => one.name === name))

interface SharedCache {
  readonly store: CacheStore
  readonly other: CacheStore
}

const cacheCases = (open: () => Promise<SharedCache>): readonly ContractCase[] => {
  const others = new WeakMap<CacheStore, CacheStore>()
  const trial = async () => {
    const { store, other } = await open()
    others.set(store, other)
    return { store, pass: async (ms: number) => clock.advance(ms) }
  }
  const another = (store: CacheStore): CacheStore => others.get(store) ?? store
  return added(cacheContract(trial, { another }), cacheContract(trial))
}

const sharedCache = (isShared: boolean) => async (): Promise<SharedCache> => {
  const { cache: store, path } = await openAt(':memory:')
  return { store, other: (await openAt(isShared ? path : ':memory:')).cache }
}

holdsAndFails('a cache that processes share', cacheCases, sharedCache(true), {
  'another process gets the value, with the same lifetime': sharedCache(false),
})

interface SharedMemories {
  readonly store: MemoryStore
  readonly other: MemoryStore
}

const memoryCases = (open: () => Promise<SharedMemories>): readonly ContractCase[] => {
  const others = new WeakMap<MemoryStore, MemoryStore>()
  const trial = async () => {
    const { store, other } = await open()
    others.set(store, other)
    return store
  }
  const another = (store: MemoryStore): MemoryStore => others.get(store) ?? store
  return added(memoryStoreContract(trial, { another }), memoryStoreContract(trial))
}

const sharedMemories =
  (broken: (good: MemoryStore) => MemoryStore | Promise<MemoryStore> = (good) => good) =>
  async (): Promise<SharedMemories> => {
    const { memories: store, path } = await openAt(':memory:')
    return { store, other: await broken((await openAt(path)).memories) }
  }

holdsAndFails('memories that processes share', memoryCases, sharedMemories(), {
  'another process reads and overwrites the value': sharedMemories(
    async () => (await openAt(':memory:')).memories,
  ),
  'a write repeated by another process is not done again': sharedMemories((good) => ({
    read: (...asked) => good.read(...asked),
    write: (memory, value, { key, ...more }) =>
      good.write(memory, value, { ...more, key: `theirs:${key}` }),
  })),
})
