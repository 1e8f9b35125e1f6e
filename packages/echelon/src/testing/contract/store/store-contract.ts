import type { Store } from '../../../core/store/store.ts'
import { artifactIndexContract } from './artifact-index-contract.ts'
import { auditStoreContract, type AuditStoreTrial } from './audit-store-contract.ts'
import { cacheContract } from './cache-contract.ts'
import type { ContractCase } from '../../contract.ts'
import { dynamicMemoryStoreContract } from './dynamic-memory-store-contract.ts'
import { eventStoreContract } from './event-store-contract.ts'
import { journalContract } from './journal-contract.ts'
import { memoryStoreContract } from './memory-store-contract.ts'
import { resultStoreContract } from './result-store-contract.ts'
import { runStoreContract } from './run-store-contract.ts'
import { sessionStoreContract } from './session-store-contract.ts'

/** Test actions on a store besides those of a program. */
export interface StoreTrial {
  /** The same store, opened by another process. */
  readonly another: (store: Store) => Store | Promise<Store>
  /**
   * Makes other processes treat the store's process as dead, for example by expiring its leases.
   */
  readonly lapse: (store: Store) => void | Promise<void>
  /** The time of all stores, in milliseconds since the epoch. */
  readonly now: () => number
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** As in `auditStoreContract`. */
  readonly verify: AuditStoreTrial['verify']
}

/**
 * The requirements of a complete `Store`: the contracts of all its parts. `for (const { name, holds
 * } of storeContract(open, trial)) test(name, holds)`.
 * @param open a new, empty store for each case; the caller closes it
 */
export function storeContract(
  open: () => Store | Promise<Store>,
  { another, lapse, now, pass, verify }: StoreTrial,
): readonly ContractCase[] {
  const stores = new Wholes(open, another)
  const runs = async () => (await stores.opened()).runs
  const lapsed = async (part: object): Promise<void> => await lapse(stores.of(part))
  const reopen = async (part: object) => {
    const next = await stores.other(part)
    await stores.of(part).close()
    return next.runs
  }
  const asRuns = { another: async (one: object) => (await stores.other(one)).runs, lapse: lapsed }
  return [
    ...named('runs', runStoreContract(runs, { ...asRuns, now, pass })),
    ...named('journal', journalContract(runs, { reopen })),
    ...named(
      'sessions',
      sessionStoreContract(() => stores.opened()),
    ),
    ...named('results', results(stores, lapsed)),
    ...kept(stores, pass),
    ...named(
      'artifacts',
      artifactIndexContract(() => stores.opened()),
    ),
    ...named('audit', audit(stores, verify)),
  ]
}

const results = (stores: Wholes, lapse: (part: object) => Promise<void>) =>
  resultStoreContract(async () => (await stores.opened()).results, {
    another: async (one) => (await stores.other(one)).results,
    lapse,
  })

const kept = (stores: Wholes, pass: StoreTrial['pass']): readonly ContractCase[] => [
  ...named(
    'memories',
    memoryStoreContract(async () => (await stores.opened()).memories, {
      another: async (one) => (await stores.other(one)).memories,
    }),
  ),
  ...named(
    'notes',
    dynamicMemoryStoreContract(async () => (await stores.opened()).notes, {
      another: async (one) => (await stores.other(one)).notes,
    }),
  ),
  ...named(
    'cache',
    cacheContract(async () => ({ store: (await stores.opened()).cache, pass }), {
      another: async (one) => (await stores.other(one)).cache,
    }),
  ),
  ...named(
    'events',
    eventStoreContract(async () => (await stores.opened()).events, {
      another: async (one) => (await stores.other(one)).events,
    }),
  ),
]

const audit = (stores: Wholes, verify: StoreTrial['verify']) =>
  auditStoreContract(async () => (await stores.opened()).audit, {
    verify,
    another: async (one) => (await stores.other(one)).audit,
  })

/** Maps each part to its store. */
class Wholes {
  readonly #open: () => Store | Promise<Store>
  readonly #another: StoreTrial['another']
  readonly #wholes = new WeakMap<object, Store>()

  constructor(open: () => Store | Promise<Store>, another: StoreTrial['another']) {
    this.#open = open
    this.#another = another
  }

  async opened(): Promise<Store> {
    return this.#known(await this.#open())
  }

  async other(part: object): Promise<Store> {
    return this.#known(await this.#another(this.of(part)))
  }

  of(part: object): Store {
    const whole = this.#wholes.get(part)
    if (whole === undefined) throw new Error('a part of a store must remain the same object')
    return whole
  }

  #known(store: Store): Store {
    for (const part of partsOf(store)) this.#wholes.set(part, store)
    return store
  }
}

const partsOf = ({
  runs,
  results,
  memories,
  notes,
  cache,
  events,
  audit,
}: Store): readonly object[] => [runs, results, memories, notes, cache, events, audit]

const named = (part: string, cases: readonly ContractCase[]): readonly ContractCase[] =>
  cases.map(({ name, holds }) => ({ name: `${part}: ${name}`, holds }))
